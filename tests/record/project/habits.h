#pragma once

int lazy();     ///< builds something when it is first used
int inThread(); ///< does its work in a thread
int inShared(); ///< does its work in a shared library
[[noreturn]] void dies();
int forSuite();                                           ///< for fixtures of a suite
int forProgram();                                         ///< for fixtures of all tests
int untouched();                                          ///< by any test
int inChild(const char *program, const char *argument);   ///< a shell starts another program
int inSpawned(const char *program, const char *argument); ///< without a shell
int readFile(const char *path);
int chosen(bool side); ///< two branches
