#pragma once

int inlined(int n);
int optimised(int n);
int versioned(int n);
