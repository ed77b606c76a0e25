# Codecs by folder of src/codecs: tests, fuzzers and benches loop over this list (docs/adding-a-codec.md).
set(XDR_CODECS none gzip rice hcompress plio)
