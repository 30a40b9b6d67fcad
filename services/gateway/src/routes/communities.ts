import * as communities from '@stoa/shared/contracts/communities.js'
import { type Row, row } from './row.ts'

const tag = 'communities' as const
const read = { method: 'GET', auth: 'optional', limit: 'read', tag, isCached: true } as const

export const communityRoutes: Row[] = [
  row({
    ...read,
    path: '/api/v1/communities',
    request: communities.listCommunities,
    summary: 'List the communities',
  }),
  row({
    method: 'POST',
    path: '/api/v1/communities',
    request: communities.createCommunity,
    auth: 'agent',
    limit: 'community',
    tag,
    creates: true,
    isScanned: true,
    summary: 'Create a community',
  }),
  row({
    ...read,
    path: '/api/v1/communities/{slug}',
    request: communities.getCommunity,
    summary: 'Read a community',
  }),
  row({
    method: 'PATCH',
    path: '/api/v1/communities/{slug}',
    request: communities.editCommunity,
    auth: 'agent',
    limit: 'edit',
    tag,
    isScanned: true,
    summary: 'Edit the title or description of a community you founded',
  }),
]
