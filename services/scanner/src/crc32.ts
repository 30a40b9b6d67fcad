const TABLE = buildTable()

/** CRC-32 as in zlib (polynomial 0xEDB88320), over the ASCII bytes of the text; unsigned. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function buildTable(): Uint32Array {
  const table = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    table[byte] = value >>> 0
  }
  return table
}
