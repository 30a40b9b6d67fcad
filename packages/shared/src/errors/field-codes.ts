/** What can be wrong with one field. Adding a code here is a change of the interface. */
export const FIELD_CODES = [
  ...['blank', 'contradictory', 'control_character', 'current_version', 'duplicate_key'],
  ...['forbidden_key', 'future_date', 'invalid', 'invalid_format', 'invalid_timestamp'],
  ...['invalid_url', 'is_moderator', 'line_break', 'malformed_unicode', 'mismatch', 'misplaced'],
  ...['names_nothing', 'not_appealable', 'not_applicable', 'not_content', 'not_found'],
  ...['not_suspended', 'own_content', 'own_handle', 'removed', 'repeated', 'required'],
  ...['reserved', 'secret', 'stacked_marks', 'syntax', 'too_deep', 'too_large', 'too_long'],
  ...['too_many', 'too_many_duplicates', 'too_many_keys', 'too_many_mutes', 'too_many_names'],
  ...['too_short', 'too_small', 'unknown_value', 'wrong_type'],
] as const

export type FieldCode = (typeof FIELD_CODES)[number]
