/// What each hand-made hostile file must lead to: the answer to the corpus's own `must` column.
///
/// The corpus is not part of this project; it lies in `bad/crafted` of the data folder.
struct CraftedFile: Sendable {
  /// Its name.
  var name: String
  /// The exit codes of `check` that fulfil the requirement.
  var statuses: Set<Int32> = [65]
  /// What the message must contain, or the text of the verdict when the code is not 65.
  var says: String

  /// The limits and checks that refuse containers.
  static let refused: [(String, String)] = [
    ("grid_4g_output.heic", "at most 134217728 pixels"),
    ("grid_256x256_one_tile.heic", "at most 4096 references"),
    ("grid_self.heic", "a cycle"), ("grid_cycle2.heic", "a cycle"),
    ("grid_cycle40.heic", "a cycle"),
    // A grid may hold coded tiles only, so nesting ends at the second grid.
    ("grid_laughs_12x8.heic", "an unturned tile of type hvc1"),
    ("ispe_lie.heic", "at most 134217728 pixels"), ("iloc_wrap64.heic", "below 2^63"),
    ("iloc_amplify.heic", "at most 64 extents"), ("iloc_item_cycle.heic", "lie in each other"),
    ("iinf_4g.heic", "at most 2000 items"), ("ipma_4g.heic", "expected"),
    ("ipma_badindex.heic", "property number"), ("box_size0_mid.heic", "meta"),
    ("box_size4.heic", "a size of free"), ("box_large8.heic", "a size of free"),
    ("box_large_max.heic", "a size of free"), ("box_nest_20000.heic", "expected"),
    ("box_million_free.heic", "at most 10000 boxes"), ("pitm_missing.heic", "item 77"),
    ("infe_dup.heic", "each item number once"), ("hvcc_lies.heic", "0 bytes left"),
    ("clap_zero.heic", "denominator above 0"), ("xmp_laughs.heic", "a DOCTYPE"),
    ("xmp_xxe.heic", "a DOCTYPE"), ("stsc_zero.heics", "an image sequence"),
    ("stts_huge.heics", "an image sequence"),
    ("jpeg_prog_bomb.jpg", "at most 134217728 pixels"),
    ("json_nan.json", "malformed at fx (byte 6): expected a number, found “NaN"),
    ("ply_count.ply", "a PLY point cloud or mesh (1000000000000000000 vertex)"),
    ("ply_list.ply", "a PLY point cloud or mesh (1 face)"),
    ("jpeg_65500.jpg", "at most 134217728 pixels"), ("empty.heic", "an empty file"),
    ("one_byte.heic", "zero bytes"), ("ftyp_only.heic", "a meta box"),
  ]

  /// JPEG files of metadata alone: without pixels, whatever the metadata do.
  static let withoutPixels = [
    "exif_ifd_loop.jpg", "exif_subifd_loop.jpg", "exif_count_max.jpg", "exif_rational_zero.jpg",
    "exif_ansi_make.jpg", "exif_csv_formula.jpg", "mpf_outside.jpg", "mpf_self.jpg",
    "mpf_count.jpg", "xmpext_4g.jpg", "xmpext_overlap.jpg",
  ]

  /// Files of other formats: refused by name before anything in them is read.
  static let otherFormats: [(String, [String])] = [
    (
      "a binary property list",
      [
        "bplist_self.plist", "bplist_laughs.plist", "bplist_count.plist", "bplist_len.plist",
        "bplist_deep.plist",
      ]
    ),
    ("an XML or HTML text", ["plist_xml_deep.plist"]),
    (
      "a PNG image",
      ["png16_bomb_30000.png", "png16_hdr_max.png", "png16_short.png", "png16_crc.png"]
    ),
    ("a JSON text", ["json_deep.json"]),
    ("a NumPy array", ["npy_shape.npy", "npy_object.npy", "npy_code.npy"]),
  ]

  /// Archives and streams, which are recordings, and why each is refused.
  private static let recordings: [CraftedFile] = [
    CraftedFile(name: "zip_traversal.zip", says: "a path with “..”"),
    CraftedFile(name: "zip_symlink.zip", says: "a symbolic link"),
    CraftedFile(name: "zip_bomb.zip", says: "over a limit at ZIP"),
    CraftedFile(name: "zip_dup.zip", says: "one that is there twice"),
    CraftedFile(name: "mcap_len.mcap", says: "missing at MCAP"),
  ]

  static let all: [CraftedFile] =
    recordings
    + refused.map { CraftedFile(name: $0, says: $1) }
    + withoutPixels.map { CraftedFile(name: $0, says: "no frame header") }
    + otherFormats.flatMap { format, names in
      names.map { CraftedFile(name: $0, says: "or RGB-D JSON, found \(format)") }
    }
    + [1, 10, 50, 90, 99].map { percent in
      let digits = percent < 10 ? "0\(percent)" : "\(percent)"
      return CraftedFile(name: "trunc\(digits)_pug.heic", says: "a size of mdat")
    }
    + (0...9).map { CraftedFile(name: "flip0\($0)_pug.heic", statuses: [1, 65], says: "") }
    + [
      CraftedFile(name: "aux_cycle.heic", statuses: [1, 65], says: ""),
      CraftedFile(name: "auxc_noterm.heic", statuses: [1, 65], says: ""),
    ]
}
