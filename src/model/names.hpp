// Names of elements: look-up, and a message that names what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stiction::detail {

// Index of `wanted` in `names`; throws Error with the nearest names if it is not there. `kind` is the word for one
// element ("body").
int find_name(std::string_view kind, std::string_view wanted, std::span<const std::string> names,
              std::string_view model);

// "; did you mean 'a' or 'b'?", or the first few names where none is near.
std::string suggest_names(std::string_view wanted, std::span<const std::string> names);

// "shape 'foot'", for messages; `index` says which one it is if it has no name.
std::string shape_called(const std::string& name, std::size_t index);

// Gives every element without a name one that no other has: its kind and number, "body7".
void fill_names(std::string_view kind, std::span<std::string> names);

}  // namespace stiction::detail
