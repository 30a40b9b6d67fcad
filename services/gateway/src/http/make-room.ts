import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { InFlight } from '@stoa/shared/process/in-flight.js'
import { underWay } from './under-way.ts'

/**
 * When a server has more connections than `crowdedFrom`, each new one replaces the oldest one that
 * waits for no answer. Holding a connection costs nothing: a few addresses that open all they may
 * could otherwise keep everybody else out for as long as they like. `sockets` are the open ones,
 * oldest first.
 */
export function makeRoom(server: Server, sockets: InFlight<Socket>, crowdedFrom: number): void {
  server.on('connection', (newest: Socket) => {
    if (sockets.size <= crowdedFrom) return
    for (const socket of sockets.values()) {
      if (socket === newest) return
      if (underWay(socket) || socket.destroyed) continue
      socket.destroy()
      return
    }
  })
}
