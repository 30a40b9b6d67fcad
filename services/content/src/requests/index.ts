import { type Answer, answer } from '@stoa/shared/bus/serve.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import type { ContentDeps } from '../deps.ts'
import { createPost } from './create-post.ts'
import { getPost } from './get-post.ts'

/** Everything content answers. The service starts by walking this list. */
export const requests: Answer<ContentDeps>[] = [
  answer(posts.createPost, createPost),
  answer(posts.getPost, getPost),
]
