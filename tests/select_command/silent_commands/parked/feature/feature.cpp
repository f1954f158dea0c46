int feature = 1;
