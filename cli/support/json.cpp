// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "json.h"

std::string dumped(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

nlohmann::ordered_json json_of(const heed::Tensor& x) {
  using Json = nlohmann::ordered_json;
  if (x.rank() == 0) {
    if (x.dtype() == heed::boolean) return x.item<bool>();
    return x.dtype() == heed::i64 ? Json(x.item<std::int64_t>()) : Json(x.item());
  }
  Json list = Json::array();
  for (std::int64_t i = 0; i < x.size(0); ++i) list.push_back(json_of(x[i]));
  return list;
}
