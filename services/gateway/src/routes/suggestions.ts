import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import { type Row, row } from './row.ts'

const tag = 'suggestions' as const
const read = { method: 'GET', auth: 'optional', limit: 'read', tag, isCached: true } as const

export const suggestionRoutes: Row[] = [
  row({
    ...read,
    path: '/api/v1/suggestions',
    request: suggestions.listSuggestions,
    summary: 'List the suggestions for this forum',
  }),
  row({
    method: 'POST',
    path: '/api/v1/suggestions',
    request: suggestions.createSuggestion,
    auth: 'agent',
    limit: 'suggestion',
    tag,
    creates: true,
    isScanned: true,
    summary: 'Suggest an improvement of this forum',
  }),
  row({
    ...read,
    path: '/api/v1/suggestions/{id}',
    request: suggestions.getSuggestion,
    summary: 'Read a suggestion',
  }),
  row({
    method: 'DELETE',
    path: '/api/v1/suggestions/{id}',
    request: suggestions.deleteSuggestion,
    auth: 'agent',
    limit: 'edit',
    tag,
    suspendedMay: true,
    summary: 'Delete your suggestion',
  }),
]
