// hostile_names_test.cpp: the name of a file is a name and nothing else, and what stands in a file names no other.
#include <cerrno>

#include "hostile_tiles.hpp"
#include "watched_folder.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int16_t> four{1, 2, 3, 4};
const std::vector<std::int16_t> others{9, 9, 9, 9};

byte_vector file_of(const std::vector<std::int16_t>& pixels, const std::vector<std::string>& extra = {}) {
  byte_vector file = hdu_bytes(primary_cards(16, {4}, extra), big_endian(pixels));
  append(file, hdu_bytes(image_cards(16, {4}), big_endian(pixels)));
  return file;
}

/// What other readers take for more than a name, around "good.fits", which exists.
const char* const spellings[] = {"good.fits[1]",
                                 "good.fits[0][1:2,*]",
                                 "good.fits+1",
                                 "good.fits,1",
                                 "good.fits(out.fits)",
                                 "good.fits[col *]",
                                 "!good.fits",
                                 "|cat good.fits",
                                 "cat good.fits|",
                                 "$(cat good.fits)",
                                 "`cat good.fits`",
                                 "good.fits;touch made",
                                 "good.fits & touch made",
                                 "good.fits\n",
                                 "good.fits ",
                                 "-",
                                 "--help",
                                 "@good.fits",
                                 "g*d.fits",
                                 "good.fit?",
                                 "~",
                                 "$HOME",
                                 "%67ood.fits"};
/// The same with a scheme: slashes, so no file of this folder can have the name.
const char* const schemes[] = {"file://good.fits",
                               "http://127.0.0.1/good.fits",
                               "https://127.0.0.1/good.fits",
                               "ftp://127.0.0.1/good.fits",
                               "ftps://127.0.0.1/x",
                               "root://127.0.0.1/x",
                               "gsiftp://x/y",
                               "mem://good.fits",
                               "shmem://h1",
                               "stdin://",
                               "compress://good.fits",
                               "rawfile://good.fits"};

class hostile_names : public watched_folder {
 protected:
  void expect_no_file(const std::string& name) {
    try {
      open_source(name);
      ADD_FAILURE() << name << " was opened";
    } catch (const error& problem) {
      expect_error(problem, errc::io_failed, {name}, {"cannot open"});
      EXPECT_EQ(problem.os_error(), ENOENT) << name;
    }
    EXPECT_EQ(touched(), std::set<std::string>{}) << name;
  }
};

TEST_F(hostile_names, a_name_opens_the_file_of_that_name_or_none) {
  write("good.fits", file_of(four));
  const auto before = content();
  watch();
  for (const char* name : spellings) expect_no_file(name);
  for (const char* name : schemes) expect_no_file(name);
  EXPECT_EQ(content(), before);
  for (const char* name : spellings) {  // and where there is such a file, that one, as a whole
    write(name, file_of(others));
    touched();
    const auto source = open_source(name);
    EXPECT_EQ(source->name(), name);
    expect_pixels(read(*source), others);
    EXPECT_EQ(inspect(*source).hdus.size(), 2U);
    EXPECT_EQ(touched(), std::set<std::string>{name});
  }
}

TEST_F(hostile_names, a_name_with_a_nul_is_no_shorter_name) {
  write("good.fits", file_of(four));
  watch();
  try {
    open_source(std::string("good.fits\0[1]", 13));
    ADD_FAILURE();
  } catch (const error& problem) {
    EXPECT_EQ(name(problem.code()), name(errc::io_failed));
    EXPECT_EQ(problem.os_error(), EINVAL);
  }
  EXPECT_EQ(touched(), std::set<std::string>{});
}

TEST_F(hostile_names, what_stands_in_a_file_opens_no_other) {
  write("victim.fits", file_of(others));
  write("victim.pix", byte_vector(100, 9));
  const std::string path = folder() + "/victim.fits";
  std::vector<std::string> cards;
  for (const char* keyword : {"GRPID1", "GRPLC1", "PIXFILE", "DATAFILE", "INCLUDE", "URI", "XREF", "FILENAME",
                              "EXTNAME", "CONTINUE", "ORIGFILE", "INHERIT", "ZHECKSUM", "TEMPLATE"}) {
    for (const std::string& value :
         {path, "file://" + path, std::string("victim.fits"), "|touch " + folder() + "/made"}) {
      cards.push_back(card(keyword, value));
    }
  }
  write("good.fits", file_of(four, cards));
  // A grouping table whose rows say where members lie, and an image whose texts do.
  byte_vector group = empty_primary();
  append(group, hdu_bytes({card("XTENSION", "BINTABLE"), card("BITPIX", 8), card("NAXIS", 2), card("NAXIS1", 64),
                           card("NAXIS2", 1), card("PCOUNT", 0), card("GCOUNT", 1), card("TFIELDS", 1),
                           card("EXTNAME", "GROUPING"), card("TTYPE1", "MEMBER_LOCATION"), card("TFORM1", "64A")},
                          [&] {
                            byte_vector row(path.begin(), path.end());
                            row.resize(64, ' ');
                            return row;
                          }()));
  append(group, hdu_bytes(image_cards(16, {4}, cards), big_endian(four)));
  write("group.fits", group);
  // The header of another format, which names the file of its pixels.
  std::string imh = "imhdr";
  for (const char letter : "victim.pix") imh += {'\0', letter};
  imh.resize(5760, '\0');
  write("image.imh", {imh.begin(), imh.end()});
  watch();
  for (const auto& [name, hdu] : {std::pair{"good.fits", 0}, std::pair{"good.fits", 1}, std::pair{"group.fits", 2}}) {
    const auto source = open_source(name);
    inspect(*source);
    expect_pixels(read(*source, hdu_selector::number(hdu)), four);
    EXPECT_EQ(touched(), std::set<std::string>{name});
  }
  EXPECT_THROW(read(*open_source("image.imh")), error);
  EXPECT_EQ(touched(), std::set<std::string>{"image.imh"});
  EXPECT_FALSE(std::filesystem::exists("made"));
}

}  // namespace
}  // namespace cuphoton::xdr::test
