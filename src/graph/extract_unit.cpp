#include "graph/extract_unit.h"

#include "graph/extract_command.h"
#include "graph/extract_declarations.h"
#include "graph/extract_entities.h"
#include "graph/extract_external.h"
#include "graph/extract_flags.h"
#include "graph/extract_given.h"
#include "graph/recording_file_system.h"
#include "graph/unit_fingerprint.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/Stack.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {

using namespace clang;

namespace {

/// Keeps the first error, as "src/a.cpp:3:5: unknown type name 'x'".
class FirstError : public DiagnosticConsumer {
public:
  explicit FirstError(const ProjectPaths &paths) : paths_(paths) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < DiagnosticsEngine::Error || !text.empty())
      return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    if (info.hasSourceManager()) {
      PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
      if (place.isValid()) {
        std::string file = place.getFilename();
        if (llvm::sys::path::is_absolute(file))
          file = paths_.nameOf(file);
        text = fmt::format("{}:{}:{}: ", file, place.getLine(), place.getColumn());
      }
    }
    text += message.str();
  }

  std::string text;

private:
  const ProjectPaths &paths_;
};

template <class Value> void sortByName(std::vector<Value> &values, const Names &names) {
  std::sort(values.begin(), values.end(), [&](const Value &a, const Value &b) {
    llvm::StringRef first = names.text(a.name);
    llvm::StringRef second = names.text(b.name);
    return first != second ? first < second : a < b;
  });
}

/// Where a variable gets its value: a static member may be declared with it alone.
const VarDecl *definitionOf(const VarDecl *variable) {
  const VarDecl *definition = variable->getDefinition();
  return definition ? definition : variable->getInitializingDeclaration();
}

/// Declarations that stand for a symbol. A symbol of another unit is told by its usual name.
void readAliases(UnitContext &unit, const Declarations &declarations, UnitGraph &graph) {
  llvm::DenseMap<std::uint32_t, NameId> bySymbol;
  auto note = [&](const auto &entities) {
    for (const auto &entity : entities)
      for (NameId symbol : entity.symbols)
        bySymbol[symbol.value] = entity.name;
  };
  note(graph.functions);
  note(graph.variables);
  auto targetOf = [&](const Decl *declaration) {
    llvm::StringRef symbol = aliasedSymbol(declaration);
    NameId known = bySymbol.lookup(unit.names.intern(symbol).value);
    return known.isValid() ? known : unit.names.intern(llvm::demangle(symbol));
  };
  for (const FunctionDecl *function : declarations.aliases)
    graph.functions.push_back(extractAlias(unit, function, targetOf(function)));
  for (const VarDecl *variable : declarations.variableAliases)
    graph.variables.push_back(extractAlias(unit, variable, targetOf(variable)));
}

UnitGraph readUnit(ASTContext &ast, Preprocessing &preprocessing, const ExtractOptions &options,
                   llvm::StringRef unitName, Names &names) {
  UnitContext unit(ast, preprocessing, options, names);
  UnitGraph graph;
  graph.name = names.intern(unitName);
  Declarations declarations = collectDeclarations(unit);

  std::vector<NameId> initialisers;
  auto readInitialiser = [&](const VarDecl *variable) {
    graph.functions.push_back(extractInitialiser(unit, variable));
    initialisers.push_back(graph.functions.back().name);
  };
  auto readVariable = [&](const VarDecl *variable) {
    graph.variables.push_back(extractVariable(unit, variable));
    if (graph.variables.back().hasDynamicInitialiser || isReadFromOutside(unit, variable))
      readInitialiser(variable);
  };
  for (const VarDecl *variable : declarations.variables)
    readVariable(variable);
  for (const Variable &variable : graph.variables)
    for (NameId symbol : variable.symbols)
      unit.variablesBySymbol[names.text(symbol)] = variable.name;
  for (const VarDecl *variable : declarations.variableAliases)
    unit.variablesBySymbol[aliasedSymbol(variable)] = unit.nameOf(variable);
  for (const FunctionDecl *function : declarations.functions) {
    graph.functions.push_back(extractFunction(unit, function));
    if (function->hasAttr<ConstructorAttr>() || function->hasAttr<DestructorAttr>())
      initialisers.push_back(graph.functions.back().name);
  }
  for (const VarDecl *variable : declarations.placedLocals)
    readInitialiser(variable);
  readAliases(unit, declarations, graph);
  for (std::size_t i = 0; i < declarations.unmodelled.size(); ++i) {
    graph.functions.push_back(extractUnmodelled(unit, declarations.unmodelled[i], i + 1));
    initialisers.push_back(graph.functions.back().name);
  }
  Fingerprint named = namedByOthers(unit, graph);
  // Reading what is external may lead to more of it.
  ExternalSearch external(unit);
  std::size_t variables = 0;
  llvm::DenseSet<const VarDecl *> isRead; // one may be named through several declarations
  for (bool isMore = true; std::exchange(isMore, false);) {
    for (const FunctionDecl *function : external.findMore())
      if (!declarations.functions.contains(function)) {
        graph.functions.push_back(extractFunction(unit, function));
        isMore = true;
      }
    for (; variables < unit.externalVariables.size(); ++variables, isMore = true)
      if (const VarDecl *definition = definitionOf(unit.externalVariables[variables]);
          definition && isRead.insert(definition->getCanonicalDecl()).second)
        readVariable(definition);
  }
  if (!initialisers.empty()) {
    graph.functions.push_back(extractUnitInitialiser(unit, graph.name, initialisers));
    graph.initialiser = graph.functions.back().name;
  }
  for (const RecordDecl *record : declarations.records)
    graph.classes.push_back(extractClass(unit, record));
  // Reading a class may add its bases to the list.
  for (std::size_t i = 0; i < unit.externalClasses.size(); ++i)
    graph.classes.push_back(extractClass(unit, unit.externalClasses[i]));

  FingerprintBuilder given;
  given.add(specialisationsForOthers(unit, declarations, graph)).add(named);
  given.add(symbolsForOthers(unit, declarations)).add(preprocessing.pragmas.ofUnit());
  graph.givenToLibraries = given.finish();
  graph.compiledOut = unit.compiledOut.elsewhere(names);
  for (const Function &function : graph.functions)
    if (!function.unmodelled.empty())
      graph.doubts.push_back(
          {names.text(function.name).str() + ": " + function.unmodelled, function.where.begin});
  sortByName(graph.functions, names);
  sortByName(graph.classes, names);
  sortByName(graph.variables, names);
  return graph;
}

/// HeaderTokens::finish.
using HeaderMap = llvm::StringMap<Fingerprint>;

class GraphConsumer : public ASTConsumer {
public:
  GraphConsumer(Preprocessor &preprocessor, const ProjectPaths &paths,
                const ExtractOptions &options, ExtractedUnit &result, HeaderMap &headers)
      : preprocessing_(preprocessor, paths, result.names), options_(options), result_(result),
        headers_(headers) {}

  void HandleTranslationUnit(ASTContext &ast) override {
    if (ast.getDiagnostics().hasErrorOccurred())
      return;
    headers_ = preprocessing_.headers.finish();
    result_.record.graph =
        readUnit(ast, preprocessing_, options_, result_.record.name, result_.names);
  }

private:
  Preprocessing preprocessing_;
  const ExtractOptions &options_;
  ExtractedUnit &result_;
  HeaderMap &headers_;
};

class GraphAction : public ASTFrontendAction {
public:
  GraphAction(const ProjectPaths &paths, const ExtractOptions &options, ExtractedUnit &result)
      : paths_(paths), options_(options), result_(result) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<GraphConsumer>(compiler.getPreprocessor(), paths_, options_, result_,
                                           headers);
  }

  HeaderMap headers;

private:
  const ProjectPaths &paths_;
  const ExtractOptions &options_;
  ExtractedUnit &result_;
};

/// Turns what the parse looked at into names that do not depend on the place of the checkout.
void noteInputs(RecordingFileSystem &files, const HeaderMap &headers, const CompileCommand &command,
                const ProjectPaths &paths, UnitRecord &record) {
  llvm::StringMap<Fingerprint> tokens; // by name: a file may be read under several paths
  for (const auto &entry : headers)
    tokens[paths.nameOf(files.absolute(entry.getKey()))] = entry.second;
  for (const auto &entry : files.read()) {
    FileInput input{paths.nameOf(entry.getKey()), entry.second, {}};
    // By a link in the project, what is outside may have a name inside.
    if (isExternal(input) || tokens.contains(input.path)) {
      FingerprintBuilder seen;
      input.seen = seen.add(input.content).add(tokens.lookup(input.path)).finish();
    }
    record.inputs.push_back(std::move(input));
  }
  for (const auto &entry : files.present())
    if (!files.read().contains(entry.getKey()))
      if (auto buffer = llvm::MemoryBuffer::getFile(entry.getKey()))
        record.inputs.push_back(
            {paths.nameOf(entry.getKey()), fingerprintOf((*buffer)->getBuffer()), {}});
  for (const auto &entry : files.missed()) {
    llvm::StringRef path = entry.getKey();
    bool isDirectory = path.size() > 1 && path.consume_back("/");
    record.missed.push_back(paths.nameOf(path) + (isDirectory ? "/" : ""));
  }
  for (const std::string &path : filesOfFlags(command))
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      record.inputs.push_back({paths.nameOf(path), fingerprintOf((*buffer)->getBuffer()), {}});
    else
      record.missed.push_back(paths.nameOf(path));
  auto sortOnce = [](auto &values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  sortOnce(record.inputs);
  sortOnce(record.missed);
  // Read under one path, and only looked for under another: how it is seen comes last.
  auto isSame = [](const FileInput &a, const FileInput &b) {
    return a.path == b.path && a.content == b.content;
  };
  auto last = std::unique(record.inputs.rbegin(), record.inputs.rend(), isSame);
  record.inputs.erase(record.inputs.begin(), last.base());
}

void parse(const Unit &unit, const ProjectPaths &paths, const ExtractOptions &options,
           bool mapsPaths, ExtractedUnit &result) {
  ClangCommand command = clangCommand(unit.command, paths, options, mapsPaths);
  result.droppedFlags = command.dropped;
  std::vector<const char *> arguments;
  for (const std::string &argument : command.arguments)
    arguments.push_back(argument.c_str());

  // Each parse has its own idea of the working directory: units are read in parallel.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real = llvm::vfs::createPhysicalFileSystem();
  if (std::error_code failed = real->setCurrentWorkingDirectory(unit.command.directory)) {
    result.record.error = unit.command.directory + ": " + failed.message();
    return;
  }
  FirstError errors(paths);
  CreateInvocationOptions invocationOptions;
  invocationOptions.Diags = CompilerInstance::createDiagnostics(new DiagnosticOptions, &errors,
                                                                /*ShouldOwnClient=*/false);
  invocationOptions.VFS = real;
  invocationOptions.RecoverOnError = true;
  std::shared_ptr<CompilerInvocation> invocation =
      createInvocation(arguments, std::move(invocationOptions));
  if (!invocation) {
    result.record.error =
        errors.text.empty() ? "Clang does not understand the command" : errors.text;
    return;
  }
  // The driver's complaints about flags do not concern the program, unless nothing else is said.
  std::string complaint = std::exchange(errors.text, "");
  invocation->getDependencyOutputOpts() = {};            // -Wp,-MD and -H write files and lines
  invocation->getPreprocessorOpts().SourceDateEpoch = 0; // __TIME__ is the same in every run
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;
  invocation->getDiagnosticOpts().ShowCarets = false; // else it counts its errors on stderr

  auto files = llvm::makeIntrusiveRefCnt<RecordingFileSystem>(real);
  CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  compiler.setFileManager(new FileManager(
      compiler.getFileSystemOpts(),
      createVFSFromCompilerInvocation(compiler.getInvocation(), compiler.getDiagnostics(), files)));
  GraphAction action(paths, options, result);
  bool isParsed = compiler.ExecuteAction(action) && errors.text.empty();
  if (!isParsed && errors.text.empty())
    errors.text = complaint.empty() ? "Clang could not parse the unit" : complaint;
  if (!isParsed)
    result.record.error = errors.text;
  noteInputs(*files, action.headers, unit.command, paths, result.record);
}

/// What stands for a unit that does not parse. As long as what was read is the same, so is the
/// unit.
UnitGraph unparsedGraph(const Unit &unit, const ProjectPaths &paths, ExtractedUnit &result) {
  UnitGraph graph;
  graph.name = result.names.intern(unit.name);
  graph.isParsed = false;
  graph.doubts.push_back({"does not parse: " + result.record.error, {}});
  FingerprintBuilder hash;
  hash.add(commandFingerprint(unit.command, paths));
  for (FileInput &input : result.record.inputs) {
    hash.add(llvm::StringRef(input.path)).add(input.content);
    input.seen = {}; // not read to its end
  }
  for (const std::string &missed : result.record.missed)
    hash.add(llvm::StringRef(missed));
  graph.fingerprint = hash.finish();
  return graph;
}

} // namespace

ExtractedUnit extractUnit(const Unit &unit, const ProjectPaths &paths,
                          const ExtractOptions &options) {
  // Relative __FILE__ can break a program that computes with it at compile time: try as written.
  for (bool mapsPaths : {true, false}) {
    ExtractedUnit result;
    result.record.name = unit.name;
    result.record.source = paths.nameOf(unit.command.file);
    result.record.object = unit.command.object.empty() ? "" : paths.nameOf(unit.command.object);
    llvm::CrashRecoveryContext recovery;
    bool isAlive = recovery.RunSafelyOnThread(
        [&] {
          noteBottomOfStack();
          parse(unit, paths, options, mapsPaths, result);
        },
        64u << 20);
    if (!isAlive)
      result.record.error = "Clang crashed while reading this unit";
    if (result.record.isParsed()) {
      UnitGraph &graph = result.record.graph;
      graph.flags = codeGenerationFlags(unit.command, paths);
      graph.externalHeaders = externalHeadersOf(result.record.inputs, result.names);
      graph.fingerprint = fingerprintOf(graph, result.names);
      return result;
    }
    if (!mapsPaths) {
      result.record.graph = unparsedGraph(unit, paths, result);
      return result;
    }
  }
  llvm_unreachable("the loop returns");
}

} // namespace retest
