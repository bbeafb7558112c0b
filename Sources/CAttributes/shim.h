/* Extended attributes of files, which the module of Linux's C library leaves out. */
#pragma once
#include <sys/xattr.h>
