int known() { return 0; }
