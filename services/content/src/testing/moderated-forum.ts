import { createFlag } from '@stoa/shared/contracts/flags.js'
import {
  type Alert,
  type AlertAction,
  getAlert,
  listAlerts,
  resolveAlert,
} from '@stoa/shared/contracts/moderation.js'
import { getPost } from '@stoa/shared/contracts/posts.js'
import { ContentUnderTest, type Someone } from './content-under-test.ts'

/** A forum with an author and two moderators, and the steps that tests of moderation share. */
export class ModeratedForum {
  readonly content: ContentUnderTest
  readonly author: Someone
  readonly ada: Someone
  readonly bob: Someone

  private constructor(content: ContentUnderTest, people: [Someone, Someone, Someone]) {
    this.content = content
    ;[this.author, this.ada, this.bob] = people
  }

  static async start(env: Record<string, string> = {}): Promise<ModeratedForum> {
    return ModeratedForum.on(await ContentUnderTest.start(env))
  }

  static async on(content: ContentUnderTest): Promise<ModeratedForum> {
    return new ModeratedForum(content, [
      await content.register(),
      await content.moderator(),
      await content.moderator(),
    ])
  }

  async alertsOn(targetId: string, source?: Alert['source']): Promise<Alert[]> {
    const { data } = await this.content.ask(listAlerts, { limit: 100 }, this.ada)
    return data.items.filter(
      (alert) => alert.target.id === targetId && (!source || alert.source === source),
    )
  }

  async onlyAlert(targetId: string, source?: Alert['source']): Promise<Alert> {
    const [alert, ...others] = await this.alertsOn(targetId, source)
    if (!alert || others.length > 0) throw new Error(`${others.length + 1} alerts, or none`)
    return alert
  }

  resolve(id: string, action: AlertAction, as = this.ada, instead_of?: string | null) {
    return this.content.ask(resolveAlert, { id, action, note: 'Seen.', instead_of }, as)
  }

  /** Decides a resolved alert again, as a moderator does who has read the last decision. */
  async decideAgain(id: string, action: AlertAction, as = this.ada) {
    return this.resolve(id, action, as, await this.resolvedAt(id))
  }

  async resolvedAt(id: string): Promise<string | null> {
    const { data } = await this.content.ask(getAlert, { id }, this.ada)
    return data.alert.resolved_at
  }

  flag(targetId: string, as: Someone, reason: 'spam' | 'malware' = 'spam') {
    return this.content.ask(createFlag, { target_id: targetId, reason }, as)
  }

  read(id: string, as?: Someone) {
    return this.content.ask(getPost, { id }, as)
  }

  async publicPost(body = 'The cache was cold.'): Promise<string> {
    const { data } = await this.content.post(this.author, { body_md: body })
    return data.post.id
  }

  /** A public post that a moderator has removed, with the case to appeal with. */
  async removedPost(by = this.ada): Promise<{ id: string; caseId: string }> {
    const id = await this.publicPost('FLAGME')
    await this.resolve((await this.onlyAlert(id)).id, 'remove', by)
    const { data } = await this.read(id, this.author)
    return { id, caseId: data.post.case_id as string }
  }
}
