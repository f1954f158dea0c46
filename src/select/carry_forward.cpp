#include "select/carry_forward.h"

#include "select/counterparts.h"
#include "support/error.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

/// Whether a compiler gives counters to it, if its unit has any.
bool isWritten(const Function &function) {
  return !function.isImplicit && !function.isExternal && !function.isSystemHeader &&
         !function.isEmittedElsewhere && function.kind != FunctionKind::Initialiser;
}

class Carrying {
public:
  Carrying(const CoverageMatrix &recorded, const Project &baseline, const Project &current,
           const Names &names, const Delta &delta, llvm::ArrayRef<TestId> ids)
      : recorded_(recorded), baseline_(baseline), current_(current), names_(names), ids_(ids),
        wasCounted_(baseline.functions.size()), hadTests_(baseline.functions.size()),
        counterparts_(baseline, current, names, delta) {
    for (std::uint32_t unit = 0; unit < baseline.units.size(); ++unit)
      units_[names.text(baseline.units[unit].name)] = {unit};
    std::map<Images, std::uint32_t> known;
    for (const RecordedTest &test : recorded.tests) {
      Images images = imagesOf(test);
      auto number = static_cast<std::uint32_t>(imagesOf_.size());
      auto [entry, isNew] = known.try_emplace(images, number);
      if (isNew)
        imagesOf_.push_back(std::move(images));
      programs_.push_back(entry->second);
    }
    group_.resize(recorded.tests.size());
  }

  llvm::Expected<CarriedForward> run() {
    bool isKnown = false;
    for (const UnitCoverage &unit : recorded_.units) {
      isKnown |= !unit.counted.empty();
      if (llvm::Error wrong = addUnit(unit))
        return wrong;
    }
    if (!isKnown)
      return error(ErrorKind::Store,
                   "the baseline does not tell which functions have counters; record it again");
    addCounted();
    for (auto &[test, reason] : lost_)
      result_.lost.push_back({test, std::move(reason)});
    return std::move(result_);
  }

private:
  /// Binaries, by their numbers in Counterparts.
  using Images = std::set<std::uint32_t>;

  Images imagesOf(const RecordedTest &test) const {
    Images images;
    for (const std::string &program : test.programs)
      if (std::optional<std::uint32_t> image = counterparts_.imageNamed(program))
        images.insert(*image);
    return images;
  }

  llvm::Error addUnit(const UnitCoverage &coverage) {
    auto found = units_.find(coverage.unit);
    auto misfit = [&] {
      return error(ErrorKind::Store, "{}: its coverage does not fit its functions", coverage.unit);
    };
    if (found == units_.end())
      return misfit();
    const std::vector<FunctionId> &functions = baseline_[found->second].functions;
    for (std::uint32_t place : coverage.counted) {
      if (place >= functions.size())
        return misfit();
      wasCounted_.set(functions[place].value);
    }
    for (std::size_t i = 0; i < coverage.functions.size(); ++i) {
      std::uint32_t place = coverage.functions[i];
      if (place >= functions.size() ||
          baseline_[functions[place]].flow.edges.size() != coverage.rows[i].edges.size())
        return misfit();
      hadTests_.set(functions[place].value);
      if (llvm::binary_search(coverage.counted, place))
        addRow(functions[place], coverage.rows[i]);
    }
    return llvm::Error::success();
  }

  /// What had counters has them now. What was not there is guessed: a test that was skipped does
  /// not enter it, so that nothing depends on the guess but how near we come to a recording.
  void addCounted() {
    llvm::BitVector isKnown(current_.functions.size()), isCounted = isKnown, wasReached = isKnown;
    for (std::uint32_t id = 0; id < baseline_.functions.size(); ++id)
      for (std::uint32_t image : counterparts_.imagesWith({id}))
        for (Counterpart counterpart : counterparts_.of({id}, image)) {
          isKnown.set(counterpart.function.value);
          if (wasCounted_.test(id))
            isCounted.set(counterpart.function.value);
          if (hadTests_.test(id))
            wasReached.set(counterpart.function.value);
        }
    for (std::uint32_t id = 0; id < current_.functions.size(); ++id)
      if (isKnown.test(id) ? isCounted.test(id) : isWritten(current_.functions[id]))
        result_.coverage.counted.push_back({id});
      else if (isKnown.test(id))
        (wasReached.test(id) ? result_.coverage.uncounted : result_.coverage.idle).push_back({id});
  }

  /// Tests that did the same in a function, each group by itself.
  void addRow(FunctionId function, const FunctionCoverage &row) {
    std::vector<TestId> tests;
    for (TestId test : recorded_.classes[row.entry.value])
      if (ids_[test.value].isValid())
        tests.push_back(test);
    for (const std::vector<TestId> &group : grouped(tests, row)) {
      llvm::BitVector crossed(row.edges.size());
      for (std::uint32_t edge = 0; edge < row.edges.size(); ++edge)
        crossed[edge] =
            llvm::binary_search(recorded_.classes[row.edges[edge].value], group.front());
      addGroup(function, imagesOf_[programs_[group.front().value]], crossed, group);
    }
  }

  /// Parts the tests by the programs that they ran and by the edges that they crossed. Most rows
  /// have few distinct classes.
  std::vector<std::vector<TestId>> grouped(llvm::ArrayRef<TestId> tests,
                                           const FunctionCoverage &row) {
    for (TestId test : tests)
      group_[test.value] = programs_[test.value];
    auto next = static_cast<std::uint32_t>(imagesOf_.size());
    for (CoverageClassId id : std::set<CoverageClassId>(row.edges.begin(), row.edges.end())) {
      if (id == row.entry)
        continue;
      std::map<std::uint32_t, std::uint32_t> parted; // from a group, those who are in the class
      for (TestId test : recorded_.classes[id.value]) {
        if (!ids_[test.value].isValid())
          continue;
        auto [part, isNew] = parted.try_emplace(group_[test.value], next);
        next += isNew;
        group_[test.value] = part->second;
      }
    }
    std::map<std::uint32_t, std::vector<TestId>> groups;
    for (TestId test : tests)
      groups[group_[test.value]].push_back(test);
    std::vector<std::vector<TestId>> all;
    for (auto &[group, members] : groups)
      all.push_back(std::move(members));
    return all;
  }

  /// The binaries in which tests may have entered a function; in doubt all that contain it.
  Images imagesWith(FunctionId function, const Images &ran) const {
    llvm::ArrayRef<std::uint32_t> with = counterparts_.imagesWith(function);
    Images both;
    llvm::copy_if(with, std::inserter(both, both.end()),
                  [&](std::uint32_t image) { return ran.contains(image); });
    return both.empty() ? Images(with.begin(), with.end()) : both;
  }

  void addGroup(FunctionId function, const Images &ran, const llvm::BitVector &crossed,
                llvm::ArrayRef<TestId> tests) {
    std::set<Counterpart> counterparts;
    for (std::uint32_t image : imagesWith(function, ran))
      for (Counterpart counterpart : counterparts_.of(function, image))
        counterparts.insert(counterpart);
    if (counterparts.empty())
      return lose(function, tests, "which is not there any more");
    std::vector<TestId> now;
    for (TestId test : tests)
      now.push_back(ids_[test.value]);
    for (Counterpart counterpart : counterparts) {
      auto edges = counterparts_.carried(function, counterpart, crossed);
      if (!edges)
        return lose(function, tests, "which has changed where it ran");
      result_.coverage.rows.push_back({counterpart.function, std::move(*edges), now});
    }
  }

  void lose(FunctionId function, llvm::ArrayRef<TestId> tests, const char *why) {
    for (TestId test : tests)
      lost_.try_emplace(ids_[test.value],
                        fmt::format("it did not run again, and it entered {}, {}",
                                    names_.text(baseline_[function].name).str(), why));
  }

  const CoverageMatrix &recorded_;
  const Project &baseline_, &current_;
  const Names &names_;
  llvm::ArrayRef<TestId> ids_;
  llvm::BitVector wasCounted_; ///< by baseline function
  llvm::BitVector hadTests_;   ///< by baseline function: some test came to it
  Counterparts counterparts_;
  llvm::StringMap<UnitId> units_;       ///< of the baseline, by name
  std::vector<Images> imagesOf_;        ///< that tests ran; each set once
  std::vector<std::uint32_t> programs_; ///< by recorded TestId: index in imagesOf_
  std::vector<std::uint32_t> group_;    ///< by recorded TestId; of the row at hand
  std::map<TestId, std::string> lost_;
  CarriedForward result_;
};

} // namespace

llvm::Expected<CarriedForward> carryForward(const CoverageMatrix &recorded, const Project &baseline,
                                            const Project &current, const Names &names,
                                            const Delta &delta, llvm::ArrayRef<TestId> ids) {
  assert(ids.size() == recorded.tests.size() && "each recorded test is carried or not");
  return Carrying(recorded, baseline, current, names, delta, ids).run();
}

} // namespace retest
