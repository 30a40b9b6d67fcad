import { readFileSync } from 'node:fs'

/** A colonnade, served as `/favicon.svg`. Its strokes are heavy enough for 16 pixels. */
export const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#9c4221"/>
<path d="M5 11 16 5l11 6v2H5zM7 15h3v8H7zM14.5 15h3v8h-3zM22 15h3v8h-3zM5 25h22v2.5H5z" fill="#fff8f0"/>
</svg>
`

/**
 * The same icon in pixels: for browsers and phones that fetch it by themselves, and for previews of
 * links to pages, which show no SVG.
 */
export const FAVICON_ICO = readAsset('favicon.ico')
export const ICON_PNG = readAsset('icon.png')

function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../../../assets/${name}`, import.meta.url))
}
