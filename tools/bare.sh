# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=sh
# A bare Debian 12 in a folder of its own, to try things as a new user would. Source it with $root set and setup.sh read;
# then make_bare PACKAGE..., and inside COMMAND runs a command in it. Needs root and debootstrap. Network settings and
# certificates come from this machine.
: "${root:?}"

[ "$(id -u)" = 0 ] || { say "needs root" && exit 77; }
command -v debootstrap >/dev/null || { say "needs debootstrap" && exit 77; }

unshare --mount true 2>/dev/null || { say "may not mount" && exit 77; }

# In a mount namespace of its own nothing stays mounted, however this ends.
if [ "${HEED_BARE_NAMESPACE-}" != 1 ]; then
  HEED_BARE_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
fi

bare=$(mktemp -d)
# shellcheck disable=SC2317  # the trap calls it
clean_up() {
  for point in proc dev; do
    ! mountpoint -q "$bare/$point" || umount --recursive "$bare/$point" || return
  done
  # Only now that nothing of this machine is mounted in it.
  rm -rf "$bare"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

mirror() {
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | head -n 1)
  echo "${found:-http://deb.debian.org/debian}"
}

copy_settings() {
  rm -rf "$bare/etc/apt"
  for path in /etc/apt /etc/ssl/certs /etc/resolv.conf /etc/hosts /usr/share/keyrings /usr/local/share/ca-certificates; do
    [ -e "$path" ] || continue
    mkdir -p "$bare$(dirname "$path")"
    rm -rf "$bare${path:?}"
    # Certificates are often links to places that are not copied; some lead nowhere.
    cp -rL "$path" "$bare$path" 2>/dev/null || :
  done
}

mount_system() {
  mount -t proc proc "$bare/proc"
  mount -t tmpfs -o mode=755,dev tmpfs "$bare/dev"
  for device in null zero full random urandom tty; do
    : >"$bare/dev/$device"
    mount --bind "/dev/$device" "$bare/dev/$device"
  done
  ln -s /proc/self/fd "$bare/dev/fd"
  mkdir -p "$bare/dev/shm" "$bare/dev/pts" && chmod 1777 "$bare/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$bare/dev/pts"
  ln -s pts/ptmx "$bare/dev/ptmx"
}

# Proxies and certificates may be set in the environment; nothing else of it comes along.
inside() {
  # shellcheck disable=SC2046  # one word per variable
  env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    $(env | grep -iE '^(https?|no|all)_proxy=|^(SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_CAINFO)=') \
    chroot "$bare" "$@"
}

# make_bare PACKAGE...: the least Debian there is, and these packages.
make_bare() {
  say "making a bare Debian 12 in $bare"
  debootstrap --variant=minbase --include="ca-certificates$(printf ',%s' "$@")" bookworm "$bare" "$(mirror)" \
    >"$bare.log" 2>&1 || { tail -n 20 "$bare.log" >&2 && rm -f "$bare.log" && say "debootstrap failed" && exit 1; }
  rm -f "$bare.log"
  copy_settings
  mount_system
}
