// Headers of the system that tests include (bazel/precompiled.bzl).
#include "precompiled.h"
#include "gtest/gtest.h"
