// Fill-reducing elimination order of a symmetric block pattern: minimum degree on the quotient graph with approximate
// external degrees, supervariables, mass elimination and element absorption (Amestoy, Davis, Duff 1996, "An approximate
// minimum degree ordering algorithm"). A node is a tree of the contact problem and weighs its degrees of freedom.
//
// Departures: weighted nodes; the list of a new element is appended instead of written over the old ones (all lists
// together are the pattern of the factor, which is stored anyway, so no garbage collection is needed); ties are broken
// by the order in which nodes got their degree, so that the same graph gives the same order.
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::detail {

// list[i]: graphs are numbered with int.
template <class T>
T& at(std::vector<T>& list, int i) {
  return list[std::size_t(i)];
}
template <class T>
const T& at(const std::vector<T>& list, int i) {
  return list[std::size_t(i)];
}

// Undirected, without loops and without double edges; every edge is listed at both of its ends.
struct BlockGraph {
  std::vector<int> weight;  // degrees of freedom of each node
  std::vector<int> first;   // neighbours of i: neighbour[first[i]] … neighbour[first[i + 1] − 1]
  std::vector<int> neighbour;

  int size() const { return int(weight.size()); }
  friend bool operator==(const BlockGraph&, const BlockGraph&) = default;
};

// Nodes that are eliminated together, in the order of elimination.
struct EliminationTree {
  std::vector<int> parent;       // the later supernode that takes up the update of this one; -1 at a root
  std::vector<int> pivot_first;  // nodes of supernode s: pivot[pivot_first[s]] … pivot[pivot_first[s + 1] − 1]
  std::vector<int> pivot;
  std::vector<int> width;   // degrees of freedom eliminated
  std::vector<int> border;  // at most so many degrees of freedom of later supernodes are touched

  int size() const { return int(parent.size()); }
};

// Keeps its memory from call to call.
class MinimumDegree {
 public:
  void order(const BlockGraph& graph, EliminationTree& tree);

 private:
  void start(const BlockGraph& graph);
  void link(int node);
  void unlink(int node);
  void eliminate(int pivot, EliminationTree& tree);
  void collect_border(int pivot, EliminationTree& tree);
  void absorb(int element, EliminationTree& tree);
  void weigh_outside();
  bool update_node(int node, int pivot, EliminationTree& tree);
  void merge_equal_nodes();
  bool same_lists(int node, int other) const;
  void append_members(int node, EliminationTree& tree);

  // Node i, while it is a variable, lists first its elements, then its variables, from list_[list_first_[i]] on.
  std::vector<int> list_, list_first_, element_count_, variable_count_;
  // An element (an eliminated supernode, named after its pivot) lists the variables that it touches.
  std::vector<int> element_list_, element_first_, element_last_, element_weight_, element_number_;
  std::vector<char> element_dead_;
  std::vector<int> weight_;                     // of the variable with all that were merged into it; 0 when gone
  std::vector<int> member_next_, member_last_;  // chain of the nodes of a variable
  std::vector<int> degree_, degree_head_, degree_next_, degree_previous_;
  std::vector<int> border_;  // variables of the element being formed
  std::vector<int> in_border_, outside_stamp_, outside_;
  std::vector<int> hash_head_, hash_next_;
  std::vector<unsigned> hash_;
  mutable std::vector<int> compare_mark_;
  mutable int compare_stamp_ = 0;
  int stamp_ = 0, remaining_ = 0, least_degree_ = 0;
};

}  // namespace stiction::detail
