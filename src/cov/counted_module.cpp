#include "cov/counted_module.h"

#include "support/error.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/ProfileData/Coverage/CoverageMappingReader.h>
#include <llvm/ProfileData/InstrProf.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>
#include <optional>
#include <tuple>

namespace retest {

using namespace llvm::coverage;

namespace {

using DataRecord = llvm::RawInstrProf::ProfileData<std::uint64_t>;

struct Section {
  std::uint64_t address = 0;
  llvm::StringRef content;
};

llvm::Expected<Section> sectionNamed(const llvm::object::ObjectFile &object,
                                     llvm::StringRef wanted) {
  for (const llvm::object::SectionRef &section : object.sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name || *name != wanted) {
      llvm::consumeError(name.takeError());
      continue;
    }
    llvm::Expected<llvm::StringRef> content = section.getContents();
    if (!content)
      return content.takeError();
    return Section{section.getAddress(), *content};
  }
  return error("no section {}: it was not built for coverage", wanted.str());
}

/// By name and structure: copies of a function that differ have the same name.
using Key = std::pair<std::uint64_t, std::uint64_t>;

/// Takes "file:name", as the compiler names local functions, apart. A mangled name has no colon.
void setName(llvm::StringRef name, CountedFunction &function) {
  std::size_t colon = name.find_last_of(":;");
  function.symbol = name.substr(colon + 1).str(); // npos + 1 is 0
  if (colon != llvm::StringRef::npos)
    function.unit = name.take_front(colon).str();
}

/// One function for each record of counters.
llvm::Expected<std::vector<CountedFunction>> readRecords(const Section &data,
                                                         const Section &counters,
                                                         llvm::InstrProfSymtab &names,
                                                         llvm::DenseMap<Key, std::size_t> &places) {
  if (data.content.size() % sizeof(DataRecord) != 0)
    return error("the table of counters has another format");
  std::vector<CountedFunction> functions;
  std::uint64_t counterCount = counters.content.size() / sizeof(std::uint64_t);
  for (std::size_t offset = 0; offset < data.content.size(); offset += sizeof(DataRecord)) {
    alignas(DataRecord) char bytes[sizeof(DataRecord)]; // nothing aligns it in the file
    std::memcpy(bytes, data.content.data() + offset, sizeof bytes);
    const auto &record = *reinterpret_cast<const DataRecord *>(bytes);
    // Relative to the record itself.
    std::uint64_t place = data.address + offset + record.CounterPtr - counters.address;
    if (place % sizeof(std::uint64_t) != 0 || place / sizeof(std::uint64_t) > counterCount ||
        record.NumCounters > counterCount - place / sizeof(std::uint64_t))
      return error("the table of counters points outside of them");
    CountedFunction function;
    function.firstCounter = static_cast<std::uint32_t>(place / sizeof(std::uint64_t));
    function.counterCount = record.NumCounters;
    setName(names.getFuncOrVarName(record.NameRef), function);
    places.try_emplace({record.NameRef, record.FuncHash}, functions.size());
    functions.push_back(std::move(function));
  }
  return functions;
}

/// What was never emitted has no hash, and no counter; what has no branches has no hash, either.
bool isMapped(const CoverageMappingRecord &record) {
  return record.FunctionHash != 0 ||
         llvm::any_of(record.MappingRegions,
                      [](const CounterMappingRegion &region) { return !region.Count.isZero(); });
}

void setRegions(const CoverageMappingRecord &record, CountedFunction &function) {
  function.files.assign(record.Filenames.begin(), record.Filenames.end());
  function.regions.assign(record.MappingRegions.begin(), record.MappingRegions.end());
  function.expressions.assign(record.Expressions.begin(), record.Expressions.end());
}

/// Adds the regions to the functions that have counters, and those functions that have none.
llvm::Error addRegions(llvm::MemoryBufferRef file, const llvm::DenseMap<Key, std::size_t> &places,
                       CountedModule &module) {
  llvm::SmallVector<std::unique_ptr<llvm::MemoryBuffer>, 1> buffers;
  auto readers = BinaryCoverageReader::create(file, "", buffers);
  if (!readers)
    return readers.takeError();
  for (const auto &reader : *readers)
    for (auto record : *reader) {
      if (!record)
        return record.takeError();
      auto place = places.find(
          {llvm::IndexedInstrProf::ComputeHash(record->FunctionName), record->FunctionHash});
      if (place != places.end() && isMapped(*record)) {
        setRegions(*record, module.functions[place->second]);
      } else if (place == places.end() && !isMapped(*record)) {
        CountedFunction &function = module.unemitted.emplace_back();
        setName(record->FunctionName, function);
        setRegions(*record, function);
      }
    }
  return llvm::Error::success();
}

/// What the counters of a function mean. Each expression is worked out once, as regions share them.
class Counts {
public:
  Counts(const CountedFunction &function, llvm::ArrayRef<std::uint64_t> counters)
      : expressions_(function.expressions),
        counters_(counters.slice(function.firstCounter, function.counterCount)),
        known_(function.expressions.size()) {}

  /// In doubt, yes. A negative count is a race: executed.
  bool isHit(Counter counter) { return of(counter).value_or(1) != 0; }

private:
  /// None if the tables do not fit each other, or it is an expression that is not known yet.
  std::optional<std::uint64_t> known(Counter counter) const {
    if (counter.getKind() == Counter::Zero)
      return 0;
    if (counter.isExpression())
      return counter.getExpressionID() < known_.size() ? known_[counter.getExpressionID()]
                                                       : std::nullopt;
    return counter.getCounterID() < counters_.size()
               ? std::optional(counters_[counter.getCounterID()])
               : std::nullopt;
  }

  /// Not by calling itself: expressions are nested as deep as a function has branches.
  std::optional<std::uint64_t> of(Counter counter) {
    llvm::SmallVector<Counter, 16> wanted = {counter};
    std::size_t mostSteps = 4 * expressions_.size() + 4; // more: one that contains itself
    while (!wanted.empty() && mostSteps-- != 0) {
      Counter next = wanted.back();
      if (known(next)) {
        wanted.pop_back();
        continue;
      }
      if (!next.isExpression() || next.getExpressionID() >= expressions_.size())
        return std::nullopt;
      const CounterExpression &expression = expressions_[next.getExpressionID()];
      auto left = known(expression.LHS), right = known(expression.RHS);
      if (left && right)
        known_[next.getExpressionID()] =
            expression.Kind == CounterExpression::Subtract ? *left - *right : *left + *right;
      if (!left)
        wanted.push_back(expression.LHS);
      if (!right)
        wanted.push_back(expression.RHS);
    }
    return known(counter);
  }

  llvm::ArrayRef<CounterExpression> expressions_;
  llvm::ArrayRef<std::uint64_t> counters_;
  llvm::SmallVector<std::optional<std::uint64_t>, 16> known_; ///< by expression
};

} // namespace

bool isBranch(const CounterMappingRegion &region) {
  return region.Kind == CounterMappingRegion::BranchRegion ||
         region.Kind == CounterMappingRegion::MCDCBranchRegion;
}

std::vector<RegionHit> hitsOf(const CountedFunction &function,
                              llvm::ArrayRef<std::uint64_t> counters) {
  Counts counts(function, counters);
  std::vector<RegionHit> hits;
  hits.reserve(function.regions.size());
  for (const CounterMappingRegion &region : function.regions)
    hits.push_back(
        {counts.isHit(region.Count), isBranch(region) && counts.isHit(region.FalseCount)});
  return hits;
}

llvm::Expected<CountedModule> CountedModule::load(const std::string &path) {
  auto withPath = [&](llvm::Error failed) {
    return error("{}: {}", path, llvm::toString(std::move(failed)));
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return error("{}: {}", path, buffer.getError().message());
  llvm::MemoryBufferRef file = (*buffer)->getMemBufferRef();
  auto object = llvm::object::ObjectFile::createObjectFile(file);
  if (!object)
    return withPath(object.takeError());
  llvm::Expected<Section> counters = sectionNamed(**object, "__llvm_prf_cnts");
  if (!counters)
    return withPath(counters.takeError());
  llvm::Expected<Section> data = sectionNamed(**object, "__llvm_prf_data");
  if (!data)
    return withPath(data.takeError());
  llvm::InstrProfSymtab names;
  if (llvm::Expected<Section> section = sectionNamed(**object, "__llvm_prf_names")) {
    if (llvm::Error failed = names.create(section->content))
      return withPath(std::move(failed));
  } else {
    return withPath(section.takeError());
  }

  CountedModule module;
  module.path = path;
  llvm::object::BuildIDRef id = llvm::object::getBuildID(object->get());
  module.buildId.assign(id.begin(), id.end());
  module.counterCount = counters->content.size() / sizeof(std::uint64_t);
  llvm::DenseMap<Key, std::size_t> places;
  auto functions = readRecords(*data, *counters, names, places);
  if (!functions)
    return withPath(functions.takeError());
  module.functions = std::move(*functions);
  if (llvm::Error failed = addRegions(file, places, module))
    return withPath(std::move(failed));
  llvm::sort(module.unemitted, [](const CountedFunction &a, const CountedFunction &b) {
    return std::tie(a.unit, a.symbol) < std::tie(b.unit, b.symbol);
  });
  llvm::sort(module.functions, [](const CountedFunction &a, const CountedFunction &b) {
    return a.firstCounter < b.firstCounter;
  });
  return module;
}

} // namespace retest
