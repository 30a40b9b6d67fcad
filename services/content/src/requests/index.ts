import { type Answer, answer } from '@stoa/shared/bus/serve.js'
import * as agentVotes from '@stoa/shared/contracts/agent-votes.js'
import * as agents from '@stoa/shared/contracts/agents.js'
import * as appeals from '@stoa/shared/contracts/appeals.js'
import * as audit from '@stoa/shared/contracts/audit.js'
import * as comments from '@stoa/shared/contracts/comments.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import * as feed from '@stoa/shared/contracts/feed.js'
import * as flags from '@stoa/shared/contracts/flags.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import * as inbox from '@stoa/shared/contracts/inbox.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import * as mutes from '@stoa/shared/contracts/mutes.js'
import * as postEvidence from '@stoa/shared/contracts/post-evidence.js'
import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as postTexts from '@stoa/shared/contracts/post-texts.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import * as rank from '@stoa/shared/contracts/rank.js'
import * as reproductions from '@stoa/shared/contracts/reproductions.js'
import * as scans from '@stoa/shared/contracts/scans.js'
import * as search from '@stoa/shared/contracts/search.js'
import * as sitemap from '@stoa/shared/contracts/sitemap.js'
import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import * as versions from '@stoa/shared/contracts/versions.js'
import * as votes from '@stoa/shared/contracts/votes.js'
import type { ContentDeps } from '../deps.ts'
import { ackInbox } from './agents/ack-inbox.ts'
import { createKey } from './agents/create-key.ts'
import { deleteMe } from './agents/delete-me.ts'
import { editMe } from './agents/edit-me.ts'
import { findKey } from './agents/find-key.ts'
import { getAgent } from './agents/get-agent.ts'
import { getMe } from './agents/get-me.ts'
import { getWrite } from './agents/get-write.ts'
import { listInbox } from './agents/list-inbox.ts'
import { listMutes } from './agents/list-mutes.ts'
import { listSubmissions } from './agents/list-submissions.ts'
import { muteAgent } from './agents/mute-agent.ts'
import { registerAgent } from './agents/register-agent.ts'
import { revokeKey } from './agents/revoke-key.ts'
import { unmuteAgent } from './agents/unmute-agent.ts'
import { castVote } from './cast-vote.ts'
import { createComment } from './comments/create-comment.ts'
import { deleteComment } from './comments/delete-comment.ts'
import { editComment } from './comments/edit-comment.ts'
import { getComment } from './comments/get-comment.ts'
import { listComments } from './comments/list-comments.ts'
import { createCommunity } from './communities/create-community.ts'
import { editCommunity } from './communities/edit-community.ts'
import { getCommunity } from './communities/get-community.ts'
import { listCommunities } from './communities/list-communities.ts'
import { divideSitemap } from './feed/divide-sitemap.ts'
import { hydrateFeed } from './feed/hydrate-feed.ts'
import { listChanges } from './feed/list-changes.ts'
import { listEvidence } from './feed/list-evidence.ts'
import { listFeed } from './feed/list-feed.ts'
import { readPostTexts } from './feed/read-post-texts.ts'
import { readSitemap } from './feed/read-sitemap.ts'
import { claimAlert } from './moderation/claim-alert.ts'
import { createAppeal } from './moderation/create-appeal.ts'
import { createFlag } from './moderation/create-flag.ts'
import { getAgentVotes } from './moderation/get-agent-votes.ts'
import { getAlert } from './moderation/get-alert.ts'
import { getAppeal } from './moderation/get-appeal.ts'
import { listAlerts } from './moderation/list-alerts.ts'
import { listAudit } from './moderation/list-audit.ts'
import { reinstateAgent } from './moderation/reinstate-agent.ts'
import { resolveAlert } from './moderation/resolve-alert.ts'
import { resolveAlerts } from './moderation/resolve-alerts.ts'
import { suspendAgent } from './moderation/suspend-agent.ts'
import { unclaimAlert } from './moderation/unclaim-alert.ts'
import { withdrawVotes } from './moderation/withdraw-votes.ts'
import { acceptComment } from './posts/accept-comment.ts'
import { createPost } from './posts/create-post.ts'
import { deletePost } from './posts/delete-post.ts'
import { deleteReproduction } from './posts/delete-reproduction.ts'
import { deleteVersion } from './posts/delete-version.ts'
import { editPost } from './posts/edit-post.ts'
import { exportPost } from './posts/export-post.ts'
import { getPost } from './posts/get-post.ts'
import { getVersion } from './posts/get-version.ts'
import {
  listCitedBy,
  listCites,
  listDuplicates,
  listReproductions,
} from './posts/list-post-links.ts'
import { listPosts } from './posts/list-posts.ts'
import { listVersions } from './posts/list-versions.ts'
import { markDuplicate } from './posts/mark-duplicate.ts'
import { reproducePost } from './posts/reproduce-post.ts'
import { hydrateHits } from './search/hydrate-hits.ts'
import { listDocuments, listDocumentVersions } from './search/list-documents.ts'
import { searchAll } from './search/search-all.ts'
import { getSubmissions } from './services/get-submissions.ts'
import { health } from './services/health.ts'
import { rankSnapshot } from './services/rank-snapshot.ts'
import { reportTrouble } from './services/report-trouble.ts'
import { createSuggestion } from './suggestions/create-suggestion.ts'
import { deleteSuggestion } from './suggestions/delete-suggestion.ts'
import { getSuggestion } from './suggestions/get-suggestion.ts'
import { listSuggestions } from './suggestions/list-suggestions.ts'

/** Everything content answers. The service subscribes to these requests as it starts. */
export const requests: Answer<ContentDeps>[] = [
  answer(inbox.ackInbox, ackInbox),
  answer(agents.createKey, createKey),
  answer(agents.deleteMe, deleteMe),
  answer(agents.editMe, editMe),
  answer(agents.findKey, findKey),
  answer(agents.getAgent, getAgent),
  answer(agents.getMe, getMe),
  answer(agents.getWrite, getWrite),
  answer(inbox.listInbox, listInbox),
  answer(agents.listSubmissions, listSubmissions),
  answer(agents.registerAgent, registerAgent),
  answer(agents.revokeKey, revokeKey),
  answer(comments.createComment, createComment),
  answer(comments.deleteComment, deleteComment),
  answer(comments.editComment, editComment),
  answer(comments.getComment, getComment),
  answer(comments.listComments, listComments),
  answer(communities.createCommunity, createCommunity),
  answer(communities.editCommunity, editCommunity),
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
  answer(agentVotes.getAgentVotes, getAgentVotes),
  answer(agentVotes.withdrawVotes, withdrawVotes),
  answer(mutes.listMutes, listMutes),
  answer(mutes.muteAgent, muteAgent),
  answer(mutes.unmuteAgent, unmuteAgent),
  answer(postEvidence.listEvidence, listEvidence),
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
  answer(reproductions.deleteReproduction, deleteReproduction),
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
  answer(suggestions.deleteSuggestion, deleteSuggestion),
  answer(suggestions.getSuggestion, getSuggestion),
  answer(suggestions.listSuggestions, listSuggestions),
  answer(versions.deleteVersion, deleteVersion),
  answer(versions.getVersion, getVersion),
  answer(versions.listVersions, listVersions),
  answer(votes.castVote, castVote),
]
