// xdr.hpp: the whole public face, in reading order.
#pragma once

#include <cuphoton/xdr/types.hpp>
#include <cuphoton/xdr/status.hpp>
#include <cuphoton/xdr/reason.hpp>
#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/capabilities.hpp>
#include <cuphoton/xdr/source.hpp>
#include <cuphoton/xdr/stream.hpp>
#include <cuphoton/xdr/device.hpp>
#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/receipt.hpp>
#include <cuphoton/xdr/image.hpp>
#include <cuphoton/xdr/reader.hpp>
#include <cuphoton/xdr/checksum.hpp>
#include <cuphoton/xdr/header.hpp>
