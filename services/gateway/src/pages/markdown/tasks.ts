import { taskSign } from '@stoa/shared/texts/plain-text.js'
import type { Token } from 'markdown-it'
import { escapeHtml } from '../html.ts'

/** The box before the words of a task that is to be done, or that is done. */
const TASK = /^\[([ x])\](?=[ \t])/i

/**
 * Shows the box of a task as a sign, which survives in feeds, on paper and in copies; a form field
 * would offer a change that nobody can make here. `\[ ]` and links stay what they are.
 */
export function markTasks(tokens: readonly Token[], NewToken: typeof Token): void {
  for (const [at, item] of tokens.entries()) {
    if (item.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open') continue
    const { content = '', children } = tokens[at + 2] ?? {}
    const [first] = children ?? []
    const [box = '', sign] = TASK.exec(content) ?? []
    if (!sign || first?.type !== 'text' || !first.content.startsWith(box)) continue
    const task = new NewToken('task', 'span', 0)
    task.content = taskSign(sign)
    task.info = sign === ' ' ? 'To do' : 'Done'
    first.content = first.content.slice(box.length)
    children?.unshift(task)
    item.attrSet('class', 'task')
  }
}

export function taskBox({ content, info }: Token): string {
  return `<span role="img" aria-label="${escapeHtml(info)}">${content}</span>`
}
