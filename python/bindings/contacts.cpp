// Contacts as arrays, one row per contact, and as a sequence of small objects. Both are read-only and stay valid when
// the simulation goes on.
#include "contacts.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {
namespace {

using NamePair = std::pair<std::string, std::string>;

struct Contact {
  std::shared_ptr<const ContactSet> set;
  std::size_t index;
};

NamePair bodies_of(const ContactSet& set, std::size_t i) {
  const auto name = [&](int body) { return set.model->body_name[static_cast<std::size_t>(body)]; };
  return {name(set.contacts.body_a[i]), name(set.contacts.body_b[i])};
}
NamePair shapes_of(const ContactSet& set, std::size_t i) {
  const auto name = [&](int shape) { return set.model->shape_name[static_cast<std::size_t>(shape)]; };
  return {name(set.contacts.shape_a[i]), name(set.contacts.shape_b[i])};
}

template <class Names>
std::vector<NamePair> all_names(const ContactSet& set, Names names) {
  std::vector<NamePair> result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(set.contacts.ncontact); ++i) result.push_back(names(set, i));
  return result;
}

Contact element(std::shared_ptr<const ContactSet> set, Py_ssize_t index) {
  const Py_ssize_t count = set->contacts.ncontact;
  if (index < 0) index += count;
  if (index < 0 || index >= count) throw nb::index_error("contact index out of range");
  return {std::move(set), static_cast<std::size_t>(index)};
}

nb::iterator iterate(const std::shared_ptr<const ContactSet>& set) {
  nb::list contacts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(set->contacts.ncontact); ++i) contacts.append(Contact{set, i});
  return nb::iter(contacts);
}

template <class T>
void bind_rows(nb::class_<ContactSet>& bound, const char* name, const std::string& doc,
               std::vector<T> Contacts::*member) {
  const auto get = [member](nb::handle_t<ContactSet> self) {
    return view<false>(nb::cast<const ContactSet&>(self).contacts.*member, self);
  };
  bound.def_prop_ro(name, get, doc.c_str());
}

template <class T>
void bind_element(nb::class_<Contact>& bound, const char* name, const std::string& doc,
                  std::vector<T> Contacts::*member) {
  const auto get = [member](nb::handle_t<Contact> self) {
    const auto& contact = nb::cast<const Contact&>(self);
    return view_element(contact.set->contacts.*member, contact.index, self);
  };
  bound.def_prop_ro(name, get, doc.c_str());
}

}  // namespace

void bind_contacts(nb::module_& module) {
  nb::class_<Contact> contact(module, "Contact",
                              "One contact. The normal points from body A to body B; force and velocity are those of B "
                              "relative to A, in the world frame.");
  nb::class_<ContactSet> set(module, "Contacts",
                             "The contacts of one step: a sequence of Contact, and arrays with one row per contact.");
#define STICTION_BIND_CONTACT(type, name, count, unit, meaning)                  \
  bind_rows(set, #name, describe_field(unit, meaning).c_str(), &Contacts::name); \
  bind_element(contact, #name, describe_field(unit, meaning).c_str(), &Contacts::name);
  STICTION_CONTACTS_ARRAYS(STICTION_BIND_CONTACT)
#undef STICTION_BIND_CONTACT

  contact.def_prop_ro(
      "bodies", [](const Contact& self) { return bodies_of(*self.set, self.index); }, "names of body A and body B");
  contact.def_prop_ro(
      "shapes", [](const Contact& self) { return shapes_of(*self.set, self.index); }, "names of shape A and shape B");
  contact.def("__repr__", [](const Contact& self) {
    const auto [a, b] = bodies_of(*self.set, self.index);
    return "Contact('" + a + "', '" + b + "', gap=" + std::to_string(self.set->contacts.gap[self.index]) + ")";
  });

  set.def_prop_ro(
      "bodies", [](const ContactSet& self) { return all_names(self, bodies_of); },
      "names of body A and body B of each contact");
  set.def_prop_ro(
      "shapes", [](const ContactSet& self) { return all_names(self, shapes_of); },
      "names of shape A and shape B of each contact");
  set.def("__len__", [](const ContactSet& self) { return self.contacts.ncontact; });
  set.def("__getitem__", &element, nb::arg("index"));
  set.def("__iter__", &iterate, nb::sig("def __iter__(self) -> collections.abc.Iterator[Contact]"));
}

}  // namespace stiction::python
