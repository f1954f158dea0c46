#pragma once

int computed(int n);
int folded();
int inlined(int n);
int optimised(int n);
int versioned(int n);
