import { AppError } from '@stoa/shared/errors/errors.js'
import type { CommunityDocument } from '../tables/documents.ts'
import { freeSlugs, takeName } from '../tables/names.ts'
import type { Transaction } from '../transaction.ts'
import type { Ended } from './endings.ts'

const KEEPS_SLUG = ['public', 'quarantined', 'held']

/**
 * A refused community gives its slug back, and a community that is allowed after all takes it
 * again. Throws `slug_taken` if another community has it by then.
 */
export async function settleSlugs(tx: Transaction, decided: Ended[]): Promise<void> {
  const freed: string[] = []
  for (const { found, ending } of decided) {
    if (found.kind !== 'community') continue
    const { slug } = found.document as CommunityDocument
    const had = found.visibility !== 'rejected'
    const keeps = KEEPS_SLUG.includes(ending)
    if (had && !keeps) freed.push(slug)
    if (!had && keeps && !(await takeName(tx, 'slug', slug))) throw new AppError('slug_taken')
  }
  freeSlugs(tx, freed)
}
