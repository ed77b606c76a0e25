// args.cpp: the flags of every verb and their checks. Text stays text while CLI11 holds it; bounds.cpp reads it after.
#include "cli/args.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

namespace cuphoton::xdr::cli {
namespace {

/// What the flags said, still as text.
struct raw_arguments {
  std::vector<std::string> files;
  std::string hdu, section, values = "scaled", engine = "auto", threads = "0", max_bytes, max_unpacked,
                            peer = "cfitsio";
  std::string codec, type, dither, size, tile, sigma, count, seed = "1";
  std::string reader = "auto", postprocess = "auto", gzip_decoder = "auto", decompression_backend = "auto";
  command_line line;
};

template <class Value>
Value pick(const std::map<std::string_view, Value>& words, const std::string& text, std::string_view flag) {
  if (const auto found = words.find(text); found != words.end()) return found->second;
  std::string known;
  for (const auto& [word, value] : words) known += (known.empty() ? "" : ", ") + std::string(word);
  throw error(errc::invalid_argument, {}, std::string(flag) + " '" + text + "' is unknown; choose one of " + known);
}

double parse_sigma(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || rest != end || !std::isfinite(value) || value < 0 || value > 1e6) {
    throw error(errc::invalid_argument, {}, "--sigma '" + text + "': expected a number from 0 to 1000000");
  }
  return value;
}

void add_file(CLI::App& verb, raw_arguments& raw, bool several) {
  verb.add_option("FILE", raw.files, several ? "FITS files" : "FITS file")->required()->expected(1, several ? -1 : 1);
}

void add_hdu(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--hdu", raw.hdu, "number (0 is the primary), NAME, or NAME,VERSION; default: first with pixels");
  verb.add_option("--section", raw.section, "start:stop or start:stop:step for each axis, slowest first: 0:10,5:20:3");
  verb.add_option("--values", raw.values, "scaled (BSCALE, BZERO, BLANK applied) or stored")->capture_default_str();
}

void add_limits(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--max-bytes", raw.max_bytes, "largest array to decode; suffixes K, M, G; default 16G");
}

void add_unpacking(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--max-unpacked-bytes", raw.max_unpacked, "most to unpack of a .gz or .bz2 file; default 4G");
}

void add_threads(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--threads", raw.threads, "workers of the host engine; 0: one for each core")->capture_default_str();
}

void add_json(CLI::App& verb, raw_arguments& raw) {
  verb.add_flag("--json", raw.line.json, "print JSON (schema 1) instead of text");
}

/// The words that the Python package has too: `reader` and `xdr_options` of cuphoton.core.fits_io.
void add_reader(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--fits-reader", raw.reader, "auto, or xdr to require the GPU")->capture_default_str();
  verb.add_option("--xdr-postprocess", raw.postprocess, "how the GPU restores pixels: auto, fused, separate, native")
      ->capture_default_str();
  verb.add_option("--xdr-gzip-decoder", raw.gzip_decoder, "of gzip tiles on the GPU: auto, builtin, gzip, deflate")
      ->capture_default_str();
  verb.add_option("--xdr-decompression-backend", raw.decompression_backend, "of nvCOMP: auto, cuda, hardware")
      ->capture_default_str();
}

void add_peer(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("--peer", raw.peer, "second opinion: cfitsio or none")->capture_default_str();
}

void add_make_demo(CLI::App& verb, raw_arguments& raw) {
  verb.add_option("DIR", raw.line.demo.folder, "folder for the files, made if missing")->required();
  verb.add_option("--seed", raw.seed, "same seed, same bytes")->capture_default_str();
  verb.add_option("--codec", raw.codec, "raw, GZIP_1, GZIP_2, RICE_1, HCOMPRESS_1, PLIO_1");
  verb.add_option("--type", raw.type, "uint8, int16, uint16, int32, uint32, int64, float32, float64 (and int8)");
  verb.add_option("--dither", raw.dither, "floats: none, 1, 2 (quantised) or lossless");
  verb.add_option("--size", raw.size, "HxW, slowest axis first");
  verb.add_option("--tile", raw.tile, "HxW; default: rows");
  verb.add_option("--sigma", raw.sigma, "noise");
  verb.add_option("--count", raw.count, "number of files");
}

struct verb_entry {
  command which;
  const char* word;
  const char* help;
};
constexpr verb_entry verbs[] = {
    {command::info, "info", "list the HDUs of files, without reading pixels"},
    {command::plan, "plan", "print what reading an image would do, as JSON"},
    {command::load, "load", "read an image, print the receipt, save the pixels"},
    {command::verify, "verify", "decode every image with every engine and compare with CFITSIO"},
    {command::doctor, "doctor", "show what can run here, and why not where it cannot"},
    {command::make_demo, "make-demo", "write a small set of FITS files, the same bytes for the same seed"},
    {command::demo, "demo", "load every image of files, time it and compare with CFITSIO"},
};

void add_flags(command which, CLI::App& verb, raw_arguments& raw) {
  switch (which) {
    case command::info:
      add_file(verb, raw, true);
      add_unpacking(verb, raw);
      verb.add_flag("--cards", raw.line.cards, "print the header cards");
      break;
    case command::plan:
      add_file(verb, raw, false);
      add_hdu(verb, raw);
      add_limits(verb, raw);
      add_unpacking(verb, raw);
      verb.add_flag("--summary", raw.line.summary, "print a short text instead of JSON");
      break;
    case command::load:
      add_file(verb, raw, false);
      verb.add_flag("--checksum", raw.line.options.checksum,
                    "verify DATASUM and CHECKSUM first; a bad one is an error");
      add_hdu(verb, raw);
      add_limits(verb, raw);
      add_unpacking(verb, raw);
      add_threads(verb, raw);
      add_reader(verb, raw);
      verb.add_option("--engine", raw.engine, "auto, gpu or host")->capture_default_str();
      verb.add_option("--save", raw.line.save, "write the pixels to this .npy file");
      break;
    case command::verify: add_reader(verb, raw); [[fallthrough]];
    case command::demo:
      add_file(verb, raw, true);
      add_limits(verb, raw);
      add_unpacking(verb, raw);
      add_threads(verb, raw);
      add_peer(verb, raw);
      break;
    case command::doctor: break;
    case command::make_demo: add_make_demo(verb, raw); break;
  }
  add_json(verb, raw);
}

/// The reader becomes an engine. Astropy is no engine of this program, and a file it would read is not read otherwise.
void read_reader(const raw_arguments& raw, read_options& options) {
  enum class reader_word { automatic, xdr, astropy };
  const auto reader = pick<reader_word>(
      {{"auto", reader_word::automatic}, {"xdr", reader_word::xdr}, {"astropy", reader_word::astropy}}, raw.reader,
      "--fits-reader");
  if (reader == reader_word::astropy) {
    throw error(errc::unsupported, {},
                "--fits-reader astropy: only the Python package reads with Astropy "
                "(cuphoton.core.fits_io.read_fits_images); use auto or xdr here");
  }
  if (reader != reader_word::xdr) return;
  if (options.engine == engine_choice::host) {
    throw error(errc::invalid_argument, {},
                "--fits-reader xdr needs the GPU engine, --engine host forbids it; leave one of the two out");
  }
  options.engine = engine_choice::gpu;
}

/// The three runtime controls. Everything is compiled ahead, so `native` names what `fused` is.
void read_controls(const raw_arguments& raw, read_options& options) {
  options.restore = pick<restore_variant>({{"auto", restore_variant::fused},
                                           {"fused", restore_variant::fused},
                                           {"native", restore_variant::fused},
                                           {"separate", restore_variant::separate}},
                                          raw.postprocess, "--xdr-postprocess");
  if (const char* const folder = std::getenv("CUPHOTON_XDR_NVCOMP_LIB_DIR")) options.nvcomp_folder = folder;
  options.gzip_decoder = pick<gzip_decoder_choice>({{"auto", gzip_decoder_choice::automatic},
                                                    {"builtin", gzip_decoder_choice::builtin},
                                                    {"gzip", gzip_decoder_choice::gzip},
                                                    {"deflate", gzip_decoder_choice::deflate}},
                                                   raw.gzip_decoder, "--xdr-gzip-decoder");
  options.decompression_backend =
      pick<decompression_backend_choice>({{"auto", decompression_backend_choice::automatic},
                                          {"cuda", decompression_backend_choice::cuda},
                                          {"hardware", decompression_backend_choice::hardware}},
                                         raw.decompression_backend, "--xdr-decompression-backend");
  if (!can_go_together(options.gzip_decoder, options.decompression_backend)) {
    throw error(errc::invalid_argument, {},
                "--xdr-decompression-backend hardware decodes gzip members only: with --xdr-gzip-decoder give auto or "
                "gzip, not " +
                    raw.gzip_decoder);
  }
}

void read_demo(const raw_arguments& raw, demo_request& demo) {
  demo.seed = parse_count(raw.seed, 1'000'000'000, "--seed");
  if (!raw.codec.empty()) demo.codec = raw.codec;
  if (!raw.dither.empty()) demo.dither = raw.dither;
  if (!raw.size.empty()) demo.extents = parse_shape(raw.size);
  if (!raw.tile.empty()) demo.tile = parse_shape(raw.tile);
  if (!raw.sigma.empty()) demo.sigma = parse_sigma(raw.sigma);
  if (!raw.count.empty()) demo.count = static_cast<unsigned>(parse_count(raw.count, 100'000, "--count"));
  if (raw.type.empty()) return;
  demo.type = pixel_type_from_name(raw.type);
  if (!demo.type) {
    throw error(errc::invalid_argument, {},
                "--type '" + raw.type + "': expected a NumPy name such as uint16 or float32");
  }
}

command_line finish(raw_arguments& raw, command which) {
  command_line line = std::move(raw.line);
  line.which = which;
  line.files = std::move(raw.files);
  if (!raw.hdu.empty()) line.hdu = parse_hdu(raw.hdu);
  if (!raw.section.empty()) line.section = parse_section(raw.section);
  line.options.values =
      pick<pixel_values>({{"scaled", pixel_values::scaled}, {"stored", pixel_values::stored}}, raw.values, "--values");
  line.options.engine = pick<engine_choice>(
      {{"auto", engine_choice::automatic}, {"gpu", engine_choice::gpu}, {"host", engine_choice::host}}, raw.engine,
      "--engine");
  read_reader(raw, line.options);
  read_controls(raw, line.options);
  line.options.threads = static_cast<unsigned>(parse_count(raw.threads, 1024, "--threads"));
  if (!raw.max_bytes.empty()) line.options.caps.max_bytes = parse_bytes(raw.max_bytes);
  if (!raw.max_unpacked.empty()) line.options.caps.max_unpacked_bytes = parse_bytes(raw.max_unpacked);
  line.use_peer = pick<bool>({{"cfitsio", true}, {"none", false}}, raw.peer, "--peer");
  read_demo(raw, line.demo);
  return line;
}

/// An unknown flag is named before anything else: what stands behind it is taken for a file, which CLI11 then counts.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& fault) {
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-') && dynamic_cast<const CLI::ExtrasError*>(&fault) == nullptr) continue;
    throw error(errc::invalid_argument, {}, "unknown argument '" + word + "'; --help lists what there is");
  }
  throw error(errc::invalid_argument, {}, std::string(fault.what()) + " (--help lists the words)");
}

}  // namespace

parsed_arguments parse_arguments(int argc, const char* const* argv) {
  raw_arguments raw;
  CLI::App app{"cuphoton: FITS images into arrays", "cuphoton"};
  const std::string version = "cuphoton xdr " + std::string(library_version());
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  CLI::App* group = app.add_subcommand("xdr", "read, plan, verify and explain FITS images");
  group->set_version_flag("--version", version);
  group->require_subcommand(1);
  std::map<command, CLI::App*> apps;
  for (const verb_entry& verb : verbs) {
    apps[verb.which] = group->add_subcommand(verb.word, verb.help);
    add_flags(verb.which, *apps[verb.which], raw);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    return {{}, version + "\n"};
  } catch (const CLI::Success&) {
    return {{}, app.help()};
  } catch (const CLI::ParseError& fault) {
    refuse(app, fault);
  }
  for (const auto& [which, verb] : apps) {
    if (verb->parsed()) return {finish(raw, which), {}};
  }
  throw error(errc::invalid_argument, {}, "no command given (--help lists them)");
}

}  // namespace cuphoton::xdr::cli
