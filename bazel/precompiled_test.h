// Headers of the system that tests include (bazel/precompiled.bzl).
#include "gtest/gtest.h"

#include "precompiled.h"
