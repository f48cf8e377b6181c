// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/accuracy.hpp>
#include <unspool/math/atan.hpp>
#include <unspool/math/erf.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/expm1.hpp>
#include <unspool/math/log.hpp>
#include <unspool/math/pow.hpp>
#include <unspool/math/rounding.hpp>
#include <unspool/math/scalar.hpp>
#include <unspool/math/sigmoid.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/math/tanh.hpp>
#include <unspool/math/trigonometry.hpp>
