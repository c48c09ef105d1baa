// Counts what this program asks of operator new, in the library and in the tests alike.
#pragma once

namespace stiction::test {

long allocation_count();

}  // namespace stiction::test
