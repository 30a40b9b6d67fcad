import { describe, expect, it } from '@jest/globals'
import { parseQuery, textOf } from './query-words.ts'

describe('the words of a query', () => {
  it.each([
    ['a question', 'How do I fix the dead-lock?', 'fix dead-lock'],
    ['a phrase', 'pool "out of memory"', 'pool memory'],
    ['what is to be left out', 'leak -java -"of the heap" -the', '-java -"of the heap" leak'],
    ['symbols of code', 'retries=3', 'retries "3"'],
    ['numbers', '443 20.11.1 port-80 x86 1500ms', '"443" "20" . "11" . "1" port- "80" x86 1500ms'],
    ['numbers within names', 'gpt-4-turbo 2026-01-15', 'gpt- "4" turbo "2026" "01" "15"'],
    ['numbers in groups', '65,536 of 1_000_000', '"65536" "1000000"'],
    ['versions', 'Node v20.11.1 on V8', 'Node "20" . "11" . "1" V8'],
    ['codes', 'E0382 TS2345 0x80070005 3f2a9c1e-x', '"E0382" TS "2345" "0x80070005" "3f2a9c1e" x'],
    ['names with a digit', 'x86-64 python3 gpt-4o log4j', 'x86- "64" python3 gpt-4o log4j'],
    ['versions behind a name', 'TLSv1.2 by IPv6', 'TLS "1" . "2" IPv6'],
    [
      'words with hyphens',
      'out-of-memory in use-after-free dead-lock',
      'memory use free dead-lock',
    ],
    ['options', 'gcc -O -Wsign-compare --force-with-lease', 'gcc O Wsign-compare force lease'],
    ['options with values', 'gcc -march=native -std=gnu', 'gcc march native std gnu'],
    ['options of a command', 'tar -xzf x.tgz; grep -rn lock .', 'tar xzf x.tgz; grep rn lock'],
    ['a command left out', 'grep -rg curl -wget ssh -telnet', '-rg -wget -telnet grep curl ssh'],
    [
      'a word left out behind what looks like a command',
      'star -xzf git -svn',
      '-xzf -svn star git',
    ],
    ['an option in code', 'javac `-nowarn`', 'javac nowarn'],
    [
      'blanks and signs beyond ASCII',
      'read\u202fonly\u00a0disk \u2011java X→Y',
      'read disk java X → Y',
    ],
    ['a negative number', 'error -32601 -"500"', '-"500" error "32601"'],
    ['punctuation', "npm ERR ! ( lockfile ) & ''", 'npm ERR lockfile'],
    ['options in quotes', '"-Wall -Wextra" -java', '-java Wall Wextra'],
    ['an option within a quotation', '"javac -nowarn Main"', 'javac nowarn Main'],
    ['a word of every text left out', 'tide -The -"dead lock"', '-"dead lock" tide'],
    ['letters beyond ASCII', 'où à thé the', 'où à thé'],
    ['words that come again', 'npm ERR! npm ERR! Err', 'npm ERR! Err'],
    [
      'more than ten words, the longest',
      'npm 1 2 3 4 5 6 7 app.js step -x -java exited',
      '-java exited step npm app.js "1" "2" "3" "4" "5" "6" "7" x',
    ],
    ['nothing but such words', 'to be or "not to be"', 'to be or not'],
    ['no words', '', ''],
  ])('are the words that distinguish texts, of %s', (_, q, words) => {
    expect(
      textOf(parseQuery(q))
        .split(/[\s?]+/)
        .filter(Boolean)
        .join(' '),
    ).toBe(words)
  })
})
