# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

class Heed < Formula
  desc "Attention in C++"
  license "Apache-2.0"
  # brew hands on only variables that begin with HOMEBREW_.
  head ENV.fetch("HOMEBREW_HEED_REPOSITORY"), using: :git, branch: ENV.fetch("HOMEBREW_HEED_BRANCH", "main")

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "xsimd" => :build
  depends_on "fmt"
  depends_on "gnuplot"
  depends_on :linux
  depends_on "openblas"
  depends_on "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DHEED_BUILD_EXAMPLES=OFF", "-DHEED_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "heed", shell_output("#{bin}/heed --version")
  end
end
