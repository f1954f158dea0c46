#pragma once

int lazy();     ///< builds something when it is first used
int inThread(); ///< does its work in a thread
int inShared(); ///< does its work in a shared library
[[noreturn]] void dies();
int inSetUp();                                          ///< for fixtures of a whole suite
int untouched();                                        ///< by any test
int inChild(const char *program, const char *argument); ///< another program does it
int readFile(const char *path);
int chosen(bool side); ///< two branches
