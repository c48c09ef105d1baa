// Where elements stand in the file: MuJoCo's parser leaves "line N" with every element of its specification.
#include <string_view>

#include <fmt/format.h>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

struct Kind {
  mjtObj type;
  const char* word;
  const mjString* (*info)(mjsElement*);
};

template <auto as>
const mjString* info_of(mjsElement* element) {
  return as(element)->info;
}

constexpr Kind kKinds[] = {
    {mjOBJ_BODY, "body", info_of<mjs_asBody>},       {mjOBJ_JOINT, "joint", info_of<mjs_asJoint>},
    {mjOBJ_GEOM, "geom", info_of<mjs_asGeom>},       {mjOBJ_FLEX, "flex", info_of<mjs_asFlex>},
    {mjOBJ_PAIR, "pair", info_of<mjs_asPair>},       {mjOBJ_EQUALITY, "equality", info_of<mjs_asEquality>},
    {mjOBJ_TENDON, "tendon", info_of<mjs_asTendon>}, {mjOBJ_ACTUATOR, "actuator", info_of<mjs_asActuator>},
    {mjOBJ_SENSOR, "sensor", info_of<mjs_asSensor>}, {mjOBJ_NUMERIC, "numeric", info_of<mjs_asNumeric>},
    {mjOBJ_PLUGIN, "plugin", info_of<mjs_asPlugin>},
};

const char* word_of(mjtObj type) {
  for (const Kind& kind : kKinds)
    if (kind.type == type) return kind.word;
  return "element";
}

}  // namespace

ElementNames::ElementNames(const mjSpec& spec, const mjModel& compiled) : compiled_(compiled) {
  for (const Kind& kind : kKinds)
    for (mjsElement* element = mjs_firstElement(&spec, kind.type); element; element = mjs_nextElement(&spec, element)) {
      const char* info = mjs_getString(kind.info(element));
      // Elements of an included file come without a line.
      if (info && *info && std::string_view(info) != "line 0")
        place_[{kind.type, mjs_getId(element)}] = fmt::format(" ({})", info);
    }
}

std::string ElementNames::operator()(mjtObj type, int id) const {
  const char* name = mj_id2name(&compiled_, type, id);
  const auto place = place_.find({type, id});
  const std::string where = place == place_.end() ? "" : place->second;
  if (name && *name) return fmt::format("{} '{}'{}", word_of(type), name, where);
  // Without a name and a line, the body says where to look.
  if (where.empty() && (type == mjOBJ_GEOM || type == mjOBJ_JOINT)) {
    const int body = type == mjOBJ_GEOM ? compiled_.geom_bodyid[id] : compiled_.jnt_bodyid[id];
    return fmt::format("{} {} of {}", word_of(type), id, (*this)(mjOBJ_BODY, body));
  }
  return fmt::format("{} {}{}", word_of(type), id, where);
}

}  // namespace stiction::detail
