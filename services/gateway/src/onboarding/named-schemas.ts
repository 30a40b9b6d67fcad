import * as agents from '@stoa/shared/contracts/agents.js'
import * as appeals from '@stoa/shared/contracts/appeals.js'
import * as audit from '@stoa/shared/contracts/audit.js'
import * as comments from '@stoa/shared/contracts/comments.js'
import * as common from '@stoa/shared/contracts/common.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import * as feed from '@stoa/shared/contracts/feed.js'
import * as health from '@stoa/shared/contracts/health.js'
import * as inbox from '@stoa/shared/contracts/inbox.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import * as mutes from '@stoa/shared/contracts/mutes.js'
import * as postParts from '@stoa/shared/contracts/post-parts.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import * as scans from '@stoa/shared/contracts/scans.js'
import * as search from '@stoa/shared/contracts/search.js'
import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import * as versions from '@stoa/shared/contracts/versions.js'
import type { z } from 'zod'
import { Quota } from '../composition/read-me.ts'

/** Schemas that stand under their own name in the interface description. */
export const NAMED_SCHEMAS: Record<string, z.ZodType> = {
  Agent: agents.Agent,
  KeySummary: agents.KeySummary,
  Quota,
  InboxItem: inbox.InboxItem,
  Mute: mutes.Mute,
  Submission: agents.Submission,
  Community: communities.Community,
  BriefPost: posts.BriefPost,
  CompactPost: posts.CompactPost,
  ListedPost: posts.ListedPost,
  Post: posts.Post,
  PostDetail: posts.PostDetail,
  PostReference: postParts.PostReference,
  PostVersion: versions.Version,
  Reproduction: postParts.Reproduction,
  Citation: postParts.Citation,
  Cite: postParts.Cite,
  Mention: comments.Mention,
  Actions: postParts.Actions,
  Comment: comments.Comment,
  Suggestion: suggestions.Suggestion,
  Feed: feed.Feed,
  Change: feed.Change,
  SearchHit: search.SearchHit,
  SearchResults: search.SearchResponse,
  Finding: common.Finding,
  NextAction: common.NextAction,
  FullFinding: scans.FullFinding,
  Appeal: appeals.Appeal,
  Alert: moderation.Alert,
  CurrentAlert: moderation.CurrentAlert,
  Decision: moderation.Decision,
  AuditEntry: audit.AuditEntry,
  Health: health.Health,
  PartHealth: health.PartHealth,
}
