// header_differential_test.cpp: every header of the corpus, as `scan` sees it, against the corpus' own table, CFITSIO
// and Astropy. Where they differ on purpose, header_exceptions.tsv says so, and a row there that is not needed fails.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <cuphoton/xdr/source.hpp>

#include "conformance/cfitsio_headers.hpp"
#include "fits/hdu.hpp"

namespace cuphoton::xdr::fits {
namespace {

namespace fs = std::filesystem;
using test::header_fields;
using test::listing;

std::string corpus_folder() {
  const char* shared = std::getenv("XDR_SHARED");
  return (shared ? std::string(shared) : std::string(XDR_SOURCE_DIR) + "/../shared") + "/corpus";
}

std::vector<std::vector<std::string>> read_tsv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> row;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    rows.push_back(row);
  }
  return rows;
}

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

const char* class_of(hdu_kind kind) {
  switch (kind) {
    case hdu_kind::binary_table: return "table";
    case hdu_kind::ascii_table: return "ascii";
    case hdu_kind::compressed_image: return "compressed";
    case hdu_kind::random_groups: return "groups";
    case hdu_kind::other: return "other";
    default: return "image";
  }
}

int bitpix_of(pixel_type type) {
  return is_floating(type) ? -8 * size_bytes(type) : 8 * size_bytes(type);
}

header_fields fields_of(const hdu& one) {
  header_fields fields{{"class", class_of(one.kind)},
                       {"offset", std::to_string(one.data_offset_bytes)},
                       {"name", one.name},
                       {"version", std::to_string(one.version)}};
  if (one.kind == hdu_kind::empty) fields["shape"] = "-";
  if (!one.image || one.kind == hdu_kind::random_groups) return fields;
  const image_hdu& image = *one.image;
  fields["shape"] = to_string(image.extents);
  fields["bitpix"] = std::to_string(bitpix_of(image.stored_type));
  fields["bscale"] = text_of(image.scale);
  fields["bzero"] = text_of(image.zero);
  fields["blank"] = image.blank ? std::to_string(*image.blank) : "-";
  if (image.compressed) {
    fields["codec"] = image.codec_name;
    fields["tile"] = to_string(image.tile_shape);
  }
  return fields;
}

listing list_with_scan(const std::string& path) {
  listing result;
  try {
    const file_structure file = scan(*open_source(path), {});
    for (const hdu& one : file.hdus) result.hdus.push_back(fields_of(one));
    if (file.problem) result.problem = file.problem->message();
  } catch (const error& refused) {
    result.problem = refused.message();
    result.refused = true;
    for (const reason& why : refused.reasons()) {
      result.externally_compressed |= why.code == reason_code::externally_compressed;
    }
  }
  return result;
}

/// header_exceptions.tsv: oracle, file, hdu, field, reason. Remembers which rows were used.
class exception_table {
 public:
  explicit exception_table(std::string oracle) : oracle_(std::move(oracle)) {
    for (const auto& row : read_tsv(std::string(XDR_SOURCE_DIR) + "/tests/conformance/header_exceptions.tsv")) {
      if (row.size() == 5 && row[0] == oracle_) unused_.insert({row[1], row[2], row[3]});
      EXPECT_EQ(row.size(), 5u) << "header_exceptions.tsv: five columns with a reason each";
    }
    all_ = unused_;
  }
  bool covers(const std::string& file, const std::string& hdu, const std::string& field) {
    const std::array<std::string, 3> key{file, hdu, field};
    unused_.erase(key);
    return all_.contains(key);
  }
  void expect_all_used() const {
    for (const auto& [file, hdu, field] : unused_) {
      ADD_FAILURE() << "header_exceptions.tsv: no longer needed: " << oracle_ << " " << file << " " << hdu << " "
                    << field;
    }
  }

 private:
  std::string oracle_;
  std::set<std::array<std::string, 3>> all_;
  std::set<std::array<std::string, 3>> unused_;
};

// Compares the fields that both sides have.
void compare(const std::string& file, const listing& ours, const listing& theirs, exception_table& exceptions) {
  if (ours.hdus.size() != theirs.hdus.size() && !exceptions.covers(file, "-", "count")) {
    ADD_FAILURE() << file << ": ours lists " << ours.hdus.size() << " HDUs (" << ours.problem << "), theirs "
                  << theirs.hdus.size() << " (" << theirs.problem << ")";
  }
  for (std::size_t i = 0; i < std::min(ours.hdus.size(), theirs.hdus.size()); ++i) {
    for (const auto& [field, value] : ours.hdus[i]) {
      const auto other = theirs.hdus[i].find(field);
      if (other == theirs.hdus[i].end() || other->second == value) continue;
      if (exceptions.covers(file, std::to_string(i), field)) continue;
      ADD_FAILURE() << file << " HDU " << i << " " << field << ": ours '" << value << "', theirs '" << other->second
                    << "'";
    }
  }
}

class header_differential : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = corpus_folder();
    if (!fs::exists(folder_ + "/MANIFEST.tsv")) {
      GTEST_SKIP() << "SKIPPED: no corpus at " << folder_ << " (set XDR_SHARED to the folder that holds corpus/)";
    }
    const auto rows = read_tsv(folder_ + "/MANIFEST.tsv");
    for (std::size_t i = 1; i < rows.size(); ++i) files_.push_back(rows[i][0]);
    ASSERT_GT(files_.size(), 100u);
  }
  std::string folder_;
  std::vector<std::string> files_;
};

// corpus/README.md: of several rows for an HDU the one whose note starts with TRUTH counts, else Astropy's.
TEST_F(header_differential, CorpusTable) {
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> wanted;
  for (const auto& row : read_tsv(folder_ + "/expected.tsv")) {
    if (row[0] == "file") continue;
    const bool truth = row.size() > 13 && row[13].starts_with("TRUTH");
    const std::pair<std::string, std::size_t> key{row[0], std::stoul(row[1])};
    if (truth || (row[7].starts_with("astropy") && !wanted.contains(key))) wanted[key] = row;
  }
  ASSERT_GT(wanted.size(), 290u);
  std::size_t refused = 0;
  for (const auto& [key, row] : wanted) {
    const listing ours = list_with_scan(folder_ + "/" + key.first);
    if (ours.externally_compressed) {
      ++refused;
      continue;
    }
    ASSERT_LT(key.second, ours.hdus.size()) << key.first << " " << ours.problem;
    const header_fields& fields = ours.hdus[key.second];
    if (row[5] == "-") {
      EXPECT_EQ(fields.at("class"), "groups") << key.first;
      continue;
    }
    ASSERT_TRUE(fields.contains("bitpix")) << key.first << " " << key.second;
    EXPECT_EQ(fields.at("shape"), row[2]) << key.first << " " << key.second;
    const std::string& type = row[3] == "-" ? row[5] : row[3];  // TRUTH rows, all floats, give the scaled type only
    const int bytes = type.at(1) - '0';
    EXPECT_EQ(fields.at("bitpix"), std::to_string(type[0] == 'f' ? -8 * bytes : 8 * bytes)) << key.first;
  }
  std::printf("%zu image HDUs of expected.tsv, %zu of them in files that are externally compressed\n", wanted.size(),
              refused);
}

#ifdef XDR_HAVE_CFITSIO
TEST_F(header_differential, Cfitsio) {
  exception_table exceptions("cfitsio");
  std::size_t compared = 0;
  for (const std::string& file : files_) {
    const listing ours = list_with_scan(folder_ + "/" + file);
    if (ours.externally_compressed) continue;
    const listing theirs = test::list_with_cfitsio(folder_ + "/" + file);
    compare(file, ours, theirs, exceptions);
    compared += theirs.hdus.size();
  }
  exceptions.expect_all_used();
  EXPECT_GT(compared, 300u);
  std::printf("%zu HDUs compared with CFITSIO\n", compared);
}
#else
TEST(header_differential_cfitsio, Skipped) {
  GTEST_SKIP() << "SKIPPED: built without CFITSIO";
}
#endif

std::string class_of_astropy(const std::string& name) {
  if (name == "CompImageHDU") return "compressed";
  if (name == "BinTableHDU") return "table";
  if (name == "TableHDU") return "ascii";
  if (name == "GroupsHDU") return "groups";
  return name == "PrimaryHDU" || name == "ImageHDU" ? "image" : "other";
}

header_fields fields_of_astropy(const nlohmann::json& line) {
  header_fields fields{{"class", class_of_astropy(line.at("class"))},
                       {"offset", std::to_string(line.at("offset").get<std::uint64_t>())},
                       {"name", line.at("name").get<std::string>()},
                       {"version", line.at("version").dump()}};
  if (!line.contains("shape")) return fields;
  std::string extents;
  for (const auto& extent : line["shape"]) extents += (extents.empty() ? "" : "x") + extent.dump();
  fields["shape"] = extents.empty() ? "-" : extents;
  fields["bitpix"] = line.at("bitpix").dump();
  for (const char* key : {"bscale", "bzero"}) {
    fields[key] = line.at(key).is_number() ? text_of(line.at(key).get<double>()) : line.at(key).dump();
  }
  fields["blank"] = line.at("blank").is_null() ? "-" : line.at("blank").dump();
  return fields;
}

// Runs tests/astropy/headers.py over `files`.
std::map<std::string, listing> list_with_astropy(const std::string& python, const std::string& folder,
                                                 const std::vector<std::string>& files) {
  const fs::path list = fs::temp_directory_path() / ("xdr-headers-" + std::to_string(::getpid()));
  std::ofstream paths(list);
  for (const std::string& file : files) paths << file << '\n';
  paths.close();
  const std::string command =
      "'" + python + "' '" + XDR_SOURCE_DIR + "/tests/astropy/headers.py' '" + folder + "' < '" + list.string() + "'";
  std::map<std::string, listing> result;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int c; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_TRUE(pipe != nullptr && ::pclose(pipe) == 0) << command;
  fs::remove(list);
  std::istringstream lines(output);
  for (std::string text; std::getline(lines, text);) {
    const nlohmann::json line = nlohmann::json::parse(text);
    listing& one = result[line.at("file")];
    if (line.contains("error")) {
      one.problem = line["error"];
    } else {
      one.hdus.push_back(fields_of_astropy(line));
    }
  }
  return result;
}

TEST_F(header_differential, Astropy) {
  const char* python = std::getenv("XDR_ASTROPY_PYTHON");
  if (python == nullptr) {
    GTEST_SKIP() << "SKIPPED: XDR_ASTROPY_PYTHON does not name a Python with astropy 8 (make astropy-env makes one)";
  }
  exception_table exceptions("astropy");
  std::vector<std::string> plain_files;
  for (const std::string& file : files_) {
    if (!list_with_scan(folder_ + "/" + file).externally_compressed) plain_files.push_back(file);
  }
  const std::map<std::string, listing> all = list_with_astropy(python, folder_, plain_files);
  std::size_t compared = 0;
  for (const std::string& file : plain_files) {
    ASSERT_TRUE(all.contains(file)) << file;
    compare(file, list_with_scan(folder_ + "/" + file), all.at(file), exceptions);
    compared += all.at(file).hdus.size();
  }
  exceptions.expect_all_used();
  EXPECT_GT(compared, 300u);
  std::printf("%zu HDUs compared with Astropy\n", compared);
}

}  // namespace
}  // namespace cuphoton::xdr::fits
