#pragma once

// Of each program, about half of the tests call the one, and half the other.
int hot(int a);
int cold(int a);
