// (folder with node_modules) -> chromium, lib/ and fonts/ beside them, for tests/chromium.py.
//
// The browser is packed with brotli; the emoji font is a WOFF, which no browser takes for a system's own font.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliDecompressSync, inflateSync } from "node:zlib";

const folder = process.argv[2];
const packages = join(folder, "node_modules");
const fonts = join(folder, "fonts");

function unpacked(name) {
  const file = join(folder, name);
  writeFileSync(file, brotliDecompressSync(readFileSync(join(packages, "@sparticuz/chromium/bin", `${name}.br`))));
  return file;
}

/** WOFF 1.0: the tables of an sfnt, each compressed with zlib where that made it shorter. */
function withoutWoff(woff) {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const log = Math.floor(Math.log2(count));
  head.writeUInt16BE(16 * 2 ** log, 6);
  head.writeUInt16BE(log, 8);
  head.writeUInt16BE(16 * count - 16 * 2 ** log, 10);
  const parts = [head];
  let at = head.length;
  for (let index = 0; index < count; index++) {
    const entry = 44 + 20 * index;
    const [offset, packed, length, checksum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(entry + field));
    const bytes = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(bytes) : bytes;
    woff.copy(head, 12 + 16 * index, entry, entry + 4);
    [checksum, at, length].forEach((value, field) => head.writeUInt32BE(value, 12 + 16 * index + 4 + 4 * field));
    const padding = Buffer.alloc(-length & 3);
    parts.push(table, padding);
    at += length + padding.length;
  }
  return Buffer.concat(parts);
}

mkdirSync(fonts, { recursive: true });
chmodSync(unpacked("chromium"), 0o755);
for (const name of ["al2023.tar", "fonts.tar"]) {
  const file = unpacked(name);
  execFileSync("tar", ["-xf", file, "-C", folder]);
  rmSync(file);
}
for (const name of ["DejaVuSans", "DejaVuSansMono", "DejaVuSansMono-Bold"]) {
  copyFileSync(join(packages, "dejavu-fonts-ttf/ttf", `${name}.ttf`), join(fonts, `${name}.ttf`));
}
const emoji = join(packages, "@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff");
writeFileSync(join(fonts, "NotoColorEmoji.ttf"), withoutWoff(readFileSync(emoji)));
writeFileSync(
  join(folder, "fonts.conf"),
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(resolve(folder), "fonts-cache")}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="same"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`,
);
rmSync(join(packages, "@sparticuz/chromium/bin"), { recursive: true });
