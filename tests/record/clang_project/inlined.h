#pragma once
inline int inlined() { return 1; }
