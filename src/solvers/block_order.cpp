#include "solvers/block_order.hpp"

#include <algorithm>

namespace stiction::detail {

void MinimumDegree::order(const BlockGraph& graph, EliminationTree& tree) {
  start(graph);
  for (auto* list : {&tree.parent, &tree.pivot, &tree.width, &tree.border}) list->clear();
  tree.pivot_first.assign(1, 0);
  while (remaining_ > 0) {
    while (at(degree_head_, least_degree_) < 0) ++least_degree_;
    eliminate(at(degree_head_, least_degree_), tree);
  }
}

void MinimumDegree::start(const BlockGraph& graph) {
  const int n = graph.size();
  const auto count = std::size_t(n);
  list_.assign(graph.neighbour.begin(), graph.neighbour.end());
  list_first_.assign(graph.first.begin(), graph.first.end());
  weight_.assign(graph.weight.begin(), graph.weight.end());
  for (auto* list : {&element_count_, &element_first_, &element_last_, &element_weight_, &element_number_, &outside_,
                     &degree_next_, &degree_previous_, &hash_next_, &in_border_, &outside_stamp_, &compare_mark_})
    list->assign(count, 0);
  for (auto* list : {&member_next_, &hash_head_}) list->assign(count, -1);
  hash_.assign(count, 0);
  element_dead_.assign(count, 0);
  element_list_.clear();
  variable_count_.resize(count);
  member_last_.resize(count);
  degree_.resize(count);
  stamp_ = compare_stamp_ = remaining_ = 0;
  for (int i = 0; i < n; ++i) {
    at(variable_count_, i) = at(graph.first, i + 1) - at(graph.first, i);
    at(member_last_, i) = i;
    remaining_ += at(weight_, i);
    int degree = 0;
    for (int k = at(graph.first, i); k < at(graph.first, i + 1); ++k) degree += at(weight_, at(list_, k));
    at(degree_, i) = degree;
  }
  degree_head_.assign(std::size_t(remaining_) + 1, -1);
  least_degree_ = remaining_;
  for (int i = n - 1; i >= 0; --i) link(i);
}

void MinimumDegree::link(int node) {
  const int degree = at(degree_, node), next = at(degree_head_, degree);
  at(degree_next_, node) = next;
  at(degree_previous_, node) = -1;
  if (next >= 0) at(degree_previous_, next) = node;
  at(degree_head_, degree) = node;
  least_degree_ = std::min(least_degree_, degree);
}

void MinimumDegree::unlink(int node) {
  const int next = at(degree_next_, node), previous = at(degree_previous_, node);
  if (next >= 0) at(degree_previous_, next) = previous;
  if (previous >= 0)
    at(degree_next_, previous) = next;
  else
    at(degree_head_, at(degree_, node)) = next;
}

void MinimumDegree::absorb(int element, EliminationTree& tree) {
  at(element_dead_, element) = 1;
  at(tree.parent, at(element_number_, element)) = tree.size() - 1;
}

void MinimumDegree::append_members(int node, EliminationTree& tree) {
  for (int i = node; i >= 0; i = at(member_next_, i)) tree.pivot.push_back(i);
}

// Turns the variable `pivot` into an element and brings the lists and degrees of its neighbours up to date.
void MinimumDegree::eliminate(int pivot, EliminationTree& tree) {
  const int number = tree.size();
  tree.parent.push_back(-1);
  at(element_number_, pivot) = number;
  collect_border(pivot, tree);
  weigh_outside();

  int width = at(weight_, pivot), border = 0;
  at(weight_, pivot) = 0;
  append_members(pivot, tree);
  std::size_t kept = 0;
  for (int i : border_) {
    if (update_node(i, pivot, tree)) {
      border += at(weight_, i);
      border_[kept++] = i;
    } else {
      // Mass elimination: nothing but this element touches i, so it goes at no extra fill.
      width += at(weight_, i);
      at(weight_, i) = 0;
      append_members(i, tree);
    }
  }
  border_.resize(kept);
  remaining_ -= width;
  merge_equal_nodes();

  at(element_first_, pivot) = int(element_list_.size());
  for (int i : border_) {
    const int weight = at(weight_, i);
    if (weight == 0) continue;
    element_list_.push_back(i);
    // degree_ holds the part outside of the new element.
    at(degree_, i) = std::min(at(degree_, i) + border, remaining_) - weight;
    link(i);
  }
  at(element_last_, pivot) = int(element_list_.size());
  at(element_weight_, pivot) = border;
  tree.pivot_first.push_back(int(tree.pivot.size()));
  tree.width.push_back(width);
  tree.border.push_back(border);
}

// border_ = the variables of the pivot's elements and its own neighbours; those elements are absorbed.
void MinimumDegree::collect_border(int pivot, EliminationTree& tree) {
  ++stamp_;
  unlink(pivot);
  at(in_border_, pivot) = stamp_;
  border_.clear();
  const auto take = [&](int i) {
    if (at(weight_, i) == 0 || at(in_border_, i) == stamp_) return;
    at(in_border_, i) = stamp_;
    border_.push_back(i);
    unlink(i);
  };
  int k = at(list_first_, pivot);
  for (const int end = k + at(element_count_, pivot); k < end; ++k) {
    const int element = at(list_, k);
    for (int l = at(element_first_, element); l < at(element_last_, element); ++l) take(at(element_list_, l));
    absorb(element, tree);
  }
  for (const int end = k + at(variable_count_, pivot); k < end; ++k) take(at(list_, k));
}

// outside_[e] = weight of L_e \ L_p for every element e that touches the border.
void MinimumDegree::weigh_outside() {
  for (int i : border_)
    for (int k = at(list_first_, i); k < at(list_first_, i) + at(element_count_, i); ++k) {
      const int element = at(list_, k);
      if (at(outside_stamp_, element) != stamp_) {
        at(outside_stamp_, element) = stamp_;
        at(outside_, element) = at(element_weight_, element);
      }
      at(outside_, element) -= at(weight_, i);
    }
}

// Takes out of the lists of node i what the new element covers, puts the element in and bounds the degree outside of
// it. False if nothing else is left: then i can be eliminated too.
bool MinimumDegree::update_node(int i, int pivot, EliminationTree& tree) {
  const int first = at(list_first_, i), variables = first + at(element_count_, i);
  int elements_end = first, variables_end = variables, degree = 0;
  unsigned hash = unsigned(pivot);
  for (int k = first; k < variables; ++k) {
    const int element = at(list_, k);
    if (at(element_dead_, element)) continue;
    if (at(outside_, element) == 0) {
      absorb(element, tree);  // all that it touches, the new element touches too
      continue;
    }
    degree += at(outside_, element);
    hash += unsigned(element);
    at(list_, elements_end++) = element;
  }
  for (int k = variables, end = variables + at(variable_count_, i); k < end; ++k) {
    const int j = at(list_, k);
    if (at(weight_, j) == 0 || at(in_border_, j) == stamp_) continue;
    degree += at(weight_, j);
    hash += unsigned(j);
    at(list_, variables_end++) = j;
  }
  const int element_count = elements_end - first, variable_count = variables_end - variables;
  if (element_count == 0 && variable_count == 0) return false;

  // i came into the border through an absorbed element or through the pivot itself, so there is room for one entry.
  if (elements_end == variables) {
    if (variable_count > 0) at(list_, variables_end) = at(list_, variables);
  } else if (elements_end + 1 < variables) {
    std::copy(list_.begin() + variables, list_.begin() + variables_end, list_.begin() + elements_end + 1);
  }
  at(list_, elements_end) = pivot;
  at(element_count_, i) = element_count + 1;
  at(variable_count_, i) = variable_count;
  at(degree_, i) = std::min(at(degree_, i), degree);
  at(hash_, i) = hash;
  return true;
}

bool MinimumDegree::same_lists(int node, int other) const {
  if (at(element_count_, node) != at(element_count_, other) || at(variable_count_, node) != at(variable_count_, other))
    return false;
  const int first = at(list_first_, other), count = at(element_count_, other) + at(variable_count_, other);
  return std::all_of(list_.begin() + first, list_.begin() + first + count,
                     [&](int k) { return at(compare_mark_, k) == compare_stamp_; });
}

// Nodes of the border with equal lists stay equal until the end: they become one variable.
void MinimumDegree::merge_equal_nodes() {
  const auto size = unsigned(hash_head_.size());
  for (int i : border_) {
    int& head = hash_head_[at(hash_, i) % size];
    at(hash_next_, i) = head;
    head = i;
  }
  for (int b : border_) {
    int& head = hash_head_[at(hash_, b) % size];
    int i = head;
    head = -1;  // each chain is gone through once
    for (; i >= 0; i = at(hash_next_, i)) {
      if (at(weight_, i) == 0 || at(hash_next_, i) < 0) continue;
      ++compare_stamp_;
      const int first = at(list_first_, i), count = at(element_count_, i) + at(variable_count_, i);
      for (int k = first; k < first + count; ++k) at(compare_mark_, at(list_, k)) = compare_stamp_;
      for (int j = at(hash_next_, i); j >= 0; j = at(hash_next_, j)) {
        if (at(weight_, j) == 0 || at(hash_, j) != at(hash_, i) || !same_lists(i, j)) continue;
        at(weight_, i) += at(weight_, j);
        at(weight_, j) = 0;
        at(member_next_, at(member_last_, i)) = j;
        at(member_last_, i) = at(member_last_, j);
      }
    }
  }
}

}  // namespace stiction::detail
