# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

table = heed.nn.sinusoidal_encoding(60, 32)
print("columns 6 to 9 of rows 0, 10, … 50", table[::10, 6:10], sep="\n")
alike = table @ table.transpose(0, 1)
print("how alike positions 0, 1, … 5 are to 0:   ", alike[0, :6])
print("how alike positions 20, 21, … 25 are to 20:", alike[20, 20:26])
print("0 to 7 in binary:", *(f"{i:03b}" for i in range(8)))
