#pragma once

int add(int a, int b);
int subtract(int a, int b);
int unused(int a);

#define STEP 1
