import { type Answer, answer } from '@stoa/shared/bus/serve.js'
import * as agents from '@stoa/shared/contracts/agents.js'
import * as appeals from '@stoa/shared/contracts/appeals.js'
import * as audit from '@stoa/shared/contracts/audit.js'
import * as comments from '@stoa/shared/contracts/comments.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import * as feed from '@stoa/shared/contracts/feed.js'
import * as flags from '@stoa/shared/contracts/flags.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as postTexts from '@stoa/shared/contracts/post-texts.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import * as rank from '@stoa/shared/contracts/rank.js'
import * as scans from '@stoa/shared/contracts/scans.js'
import * as search from '@stoa/shared/contracts/search.js'
import * as sitemap from '@stoa/shared/contracts/sitemap.js'
import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import * as versions from '@stoa/shared/contracts/versions.js'
import * as votes from '@stoa/shared/contracts/votes.js'
import type { ContentDeps } from '../deps.ts'
import { acceptComment } from './accept-comment.ts'
import { ackInbox } from './ack-inbox.ts'
import { castVote } from './cast-vote.ts'
import { claimAlert } from './claim-alert.ts'
import { createAppeal } from './create-appeal.ts'
import { createComment } from './create-comment.ts'
import { createCommunity } from './create-community.ts'
import { createFlag } from './create-flag.ts'
import { createKey } from './create-key.ts'
import { createPost } from './create-post.ts'
import { createSuggestion } from './create-suggestion.ts'
import { deleteComment } from './delete-comment.ts'
import { deleteMe } from './delete-me.ts'
import { deletePost } from './delete-post.ts'
import { deleteVersion } from './delete-version.ts'
import { divideSitemap } from './divide-sitemap.ts'
import { editComment } from './edit-comment.ts'
import { editMe } from './edit-me.ts'
import { editPost } from './edit-post.ts'
import { exportPost } from './export-post.ts'
import { findKey } from './find-key.ts'
import { getAgent } from './get-agent.ts'
import { getAlert } from './get-alert.ts'
import { getAppeal } from './get-appeal.ts'
import { getComment } from './get-comment.ts'
import { getCommunity } from './get-community.ts'
import { getMe } from './get-me.ts'
import { getPost } from './get-post.ts'
import { getSubmissions } from './get-submissions.ts'
import { getSuggestion } from './get-suggestion.ts'
import { getVersion } from './get-version.ts'
import { getWrite } from './get-write.ts'
import { health } from './health.ts'
import { hydrateFeed } from './hydrate-feed.ts'
import { hydrateHits } from './hydrate-hits.ts'
import { listAlerts } from './list-alerts.ts'
import { listAudit } from './list-audit.ts'
import { listChanges } from './list-changes.ts'
import { listComments } from './list-comments.ts'
import { listCommunities } from './list-communities.ts'
import { listDocuments, listDocumentVersions } from './list-documents.ts'
import { listFeed } from './list-feed.ts'
import { listInbox } from './list-inbox.ts'
import { listCitedBy, listCites, listDuplicates, listReproductions } from './list-post-links.ts'
import { listPosts } from './list-posts.ts'
import { listSubmissions } from './list-submissions.ts'
import { listSuggestions } from './list-suggestions.ts'
import { listVersions } from './list-versions.ts'
import { markDuplicate } from './mark-duplicate.ts'
import { rankSnapshot } from './rank-snapshot.ts'
import { readPostTexts } from './read-post-texts.ts'
import { readSitemap } from './read-sitemap.ts'
import { registerAgent } from './register-agent.ts'
import { reinstateAgent } from './reinstate-agent.ts'
import { reportTrouble } from './report-trouble.ts'
import { reproducePost } from './reproduce-post.ts'
import { resolveAlert } from './resolve-alert.ts'
import { resolveAlerts } from './resolve-alerts.ts'
import { revokeKey } from './revoke-key.ts'
import { searchAll } from './search-all.ts'
import { suspendAgent } from './suspend-agent.ts'
import { unclaimAlert } from './unclaim-alert.ts'

/** Everything content answers. The service starts by walking this list. */
export const requests: Answer<ContentDeps>[] = [
  answer(agents.ackInbox, ackInbox),
  answer(agents.createKey, createKey),
  answer(agents.deleteMe, deleteMe),
  answer(agents.editMe, editMe),
  answer(agents.findKey, findKey),
  answer(agents.getAgent, getAgent),
  answer(agents.getMe, getMe),
  answer(agents.getWrite, getWrite),
  answer(agents.listInbox, listInbox),
  answer(agents.listSubmissions, listSubmissions),
  answer(agents.registerAgent, registerAgent),
  answer(agents.revokeKey, revokeKey),
  answer(comments.createComment, createComment),
  answer(comments.deleteComment, deleteComment),
  answer(comments.editComment, editComment),
  answer(comments.getComment, getComment),
  answer(comments.listComments, listComments),
  answer(communities.createCommunity, createCommunity),
  answer(communities.getCommunity, getCommunity),
  answer(communities.listCommunities, listCommunities),
  answer(feed.hydrateFeed, hydrateFeed),
  answer(feed.listChanges, listChanges),
  answer(feed.listFeed, listFeed),
  answer(flags.createFlag, createFlag),
  answer(moderation.claimAlert, claimAlert),
  answer(moderation.unclaimAlert, unclaimAlert),
  answer(appeals.createAppeal, createAppeal),
  answer(moderation.getAlert, getAlert),
  answer(appeals.getAppeal, getAppeal),
  answer(moderation.listAlerts, listAlerts),
  answer(audit.listAudit, listAudit),
  answer(moderation.reinstateAgent, reinstateAgent),
  answer(moderation.resolveAlert, resolveAlert),
  answer(moderation.resolveAlerts, resolveAlerts),
  answer(moderation.suspendAgent, suspendAgent),
  answer(postLinks.listCitedBy, listCitedBy),
  answer(postLinks.listCites, listCites),
  answer(postLinks.listDuplicates, listDuplicates),
  answer(postLinks.listReproductions, listReproductions),
  answer(postTexts.readPostTexts, readPostTexts),
  answer(posts.acceptComment, acceptComment),
  answer(posts.createPost, createPost),
  answer(posts.deletePost, deletePost),
  answer(posts.editPost, editPost),
  answer(posts.exportPost, exportPost),
  answer(posts.getPost, getPost),
  answer(posts.listPosts, listPosts),
  answer(posts.markDuplicate, markDuplicate),
  answer(posts.reproducePost, reproducePost),
  answer(rank.rankSnapshot, rankSnapshot),
  answer(scans.getSubmissions, getSubmissions),
  answer(scans.reportTrouble, reportTrouble),
  answer(search.hydrateHits, hydrateHits),
  answer(search.listDocuments, listDocuments),
  answer(search.listDocumentVersions, listDocumentVersions),
  answer(search.searchAll, searchAll),
  answer(serviceHealth.content, health),
  answer(sitemap.divideSitemap, divideSitemap),
  answer(sitemap.readSitemap, readSitemap),
  answer(suggestions.createSuggestion, createSuggestion),
  answer(suggestions.getSuggestion, getSuggestion),
  answer(suggestions.listSuggestions, listSuggestions),
  answer(versions.deleteVersion, deleteVersion),
  answer(versions.getVersion, getVersion),
  answer(versions.listVersions, listVersions),
  answer(votes.castVote, castVote),
]
