// event.cpp: see event.hpp.
#include "device/event.hpp"

namespace cuphoton::xdr::device {

event::event() {
  event_handle made = nullptr;
  call("create an event", &api_table::event_create, &made);
  handle_ = decltype(handle_)(made);
}

void event::record(stream_handle stream) {
  call("record an event", &api_table::event_record, get(), stream);
}

void event::synchronize() const {
  call("wait for an event", &api_table::event_synchronize, get());
}

bool event::is_done() const {
  bool done = false;
  call("ask for an event", &api_table::event_query, get(), &done);
  return done;
}

}  // namespace cuphoton::xdr::device
