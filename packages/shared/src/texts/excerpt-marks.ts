/** Stand around what was found in the excerpt of an alert; quoted text never holds them itself. */
export const MARK_START = '⟦'
export const MARK_END = '⟧'
