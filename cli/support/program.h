// What the programs have in common: exit codes, the memory they may use, and one line about what went wrong.
#pragma once

#include <string>

inline constexpr int kCouldNot = 1;
inline constexpr int kWrongUsage = 2;

/// One line on standard error, whatever the message quotes from the command line.
void complain(std::string message);

/// What main() returns: the result of `run`, or kCouldNot after a complaint about what it threw.
int run_program(int (*run)(int argc, char** argv), int argc, char** argv);
