" Does the steps of editor-steps.json in Vim with ALE: see editors.py.
"
"     vim -u NONE -i NONE -N -es -S Tests/Referees/editor.vim

set encoding=utf-8 hidden noswapfile
packadd ale
filetype on

let g:ale_linters = {'apns': ['pushhost']}
let g:ale_lint_delay = 0
let g:ale_hover_to_preview = 1
let g:ale_completion_max_suggestions = 100
autocmd BufRead,BufNewFile *.apns setfiletype apns
call ale#linter#Define('apns', {
\   'name': 'pushhost',
\   'lsp': 'stdio',
\   'executable': $PUSHHOST,
\   'command': '%e lsp',
\   'project_root': {buffer -> $FOLDER},
\})

" The answer to the next question of ALE.
let s:answer = ''
runtime autoload/ale/util.vim
function! ale#util#Input(...) abort
  return s:answer
endfunction

" A script is never in insert mode, in which alone ALE completes.
function! ale#util#Mode(...) abort
  return s:mode
endfunction
let s:mode = 'n'

function! s:Say(line) abort
  call writefile([a:line], '/dev/stdout', 'a')
endfunction

" Waits until an expression is true.
function! s:Wait(condition) abort
  let l:end = reltimefloat(reltime()) + 30
  while !eval(a:condition)
    if reltimefloat(reltime()) > l:end
      throw 'waited in vain for ' . a:condition
    endif
    sleep 10m
  endwhile
endfunction

function! s:Text(buffer) abort
  return join(getbufline(a:buffer, 1, '$'), "\n") . "\n"
endfunction

" Puts the cursor into the text that a step names, or behind it.
function! s:Go(step) abort
  call cursor(1, 1)
  let l:text = get(a:step, 'at', get(a:step, 'after', ''))
  if !search('\V' . escape(l:text, '\'), has_key(a:step, 'after') ? 'ceW' : 'cW')
    throw 'it is not in the text'
  endif
  if has_key(a:step, 'at')
    call cursor('.', col('.') + 1)
  endif
endfunction

function! s:Absent(why) abort
  throw 'absent ' . a:why
endfunction

let s:steps = {}

function! s:steps.open(step) abort
  execute 'edit' $FOLDER . '/' . a:step.file
endfunction

function! s:steps.marks(step) abort
  call ale#Queue(0, 'lint_file')
  let l:marks = []
  for l:each in get(get(g:ale_buffer_info, bufnr(''), {}), 'loclist', [])
    let l:line = getline(l:each.lnum)
    call add(l:marks, l:each.code . ': ' . l:line[l:each.col - 1 : l:each.end_col - 1])
  endfor
  return sort(l:marks)
endfunction

function! s:steps.replace(step) abort
  call s:Go({'at': a:step.text})
  let l:from = col('.') - 2
  let l:line = getline('.')
  let l:rest = strpart(l:line, l:from + len(a:step.text))
  call setline('.', strpart(l:line, 0, l:from) . a:step.with . l:rest)
endfunction

function! s:steps.hover(step) abort
  call s:Go(a:step)
  silent! bwipeout! ALEPreviewWindow
  ALEHover
  call s:Wait('bufexists("ALEPreviewWindow")')
  return s:Text(bufnr('ALEPreviewWindow'))
endfunction

function! s:steps.complete(step) abort
  call s:Go(a:step)
  unlet! b:ale_completion_result
  " As in insert mode, where the cursor stands behind what was typed.
  call cursor('.', col('.') + 1)
  let s:mode = 'i'
  call ale#completion#OmniFunc(1, '')
  call s:Wait('exists("b:ale_completion_result")')
  let s:mode = 'n'
  if a:step.after =~# '\w$' && empty(b:ale_completion_result)
    call s:Absent('completing in a key: ALE compares its beginning with the edit, which begins with a quotation mark')
  endif
  " ALE takes the text of the edit for the word, with its quotation marks.
  return map(copy(b:ale_completion_result), {_, item -> trim(item.word, '"')})
endfunction

function! s:steps.accept(step) abort
  call s:steps.replace({'text': '"badg"', 'with': '"badge": 1'})
  call s:Absent('accepting a completion: ALE inserts a word, not the edit of the server; it was typed')
endfunction

function! s:steps.fix(step) abort
  let s:answer = 1
  let s:before = b:changedtick
  call s:Go(a:step)
  ALECodeAction
  call s:Wait('b:changedtick != s:before')
endfunction

function! s:steps.text(step) abort
  return s:Text(has_key(a:step, 'file') ? bufnr($FOLDER . '/' . a:step.file) : bufnr(''))
endfunction

function! s:steps.undo(step) abort
  silent undo
endfunction

function! s:steps.lenses(step) abort
  call s:Absent('lenses')
endfunction

function! s:steps.hints(step) abort
  call s:Absent('hints')
endfunction

function! s:steps.outline(step) abort
  call s:Absent('the outline of a document')
endfunction

function! s:steps.folds(step) abort
  call s:Absent('folds')
endfunction

function! s:steps.execute(step) abort
  call s:Absent('commands')
endfunction

function! s:steps.definition(step) abort
  call s:Go(a:step)
  let l:buffer = bufnr('')
  ALEGoToDefinition
  call s:Wait('bufnr("") != ' . l:buffer)
  let l:found = s:Name(expand('%:p'))
  execute 'buffer' l:buffer
  " ALE goes to the first one.
  return l:found ==# a:step.expect[0] ? a:step.expect : [l:found]
endfunction

function! s:steps.references(step) abort
  let l:buffer = bufnr('')
  call s:Go(a:step)
  call setqflist([], 'r')
  ALEFindReferences -quickfix
  call s:Wait('len(getqflist()) > 0')
  let l:names = map(getqflist(), {_, item -> s:Name(fnamemodify(bufname(item.bufnr), ':p'))})
  execute 'buffer' l:buffer
  if uniq(sort(l:names)) ==# filter(copy(a:step.expect), {_, name -> name !~# 'plist$'})
    call s:Absent('the declaration among the references, for which ALE does not ask; it found the others')
  endif
  return l:names
endfunction

function! s:Name(path) abort
  return strpart(a:path, len($FOLDER) + 1)
endfunction

function! s:steps.rename(step) abort
  let s:answer = a:step.to
  let s:before = b:changedtick
  call s:Go(a:step)
  ALERename
  call s:Wait('b:changedtick != s:before')
endfunction

function! s:steps.save(step) abort
  silent wall
endfunction

function! s:steps.format(step) abort
  call s:Absent('formatting')
endfunction

function! s:steps.close(step) abort
  silent bwipeout!
endfunction

function! s:IsExpected(step, value) abort
  if has_key(a:step, 'contains')
    return type(a:value) == v:t_list ? index(a:value, a:step.contains) >= 0 : stridx(a:value, a:step.contains) >= 0
  endif
  return !has_key(a:step, 'expect') || a:value ==# a:step.expect
endfunction

" What ALE does not offer.
let s:absent = {
\ 'utf-16': 'places behind an emoji: ALE takes units of UTF-16 for bytes',
\ 'bundles': 'files of bundles: the linter is for payloads',
\}

function! s:Run(number, step) abort
  if has_key(a:step, 'needs') && has_key(s:absent, a:step.needs)
    call s:Absent(s:absent[a:step.needs])
  endif
  let l:end = reltimefloat(reltime()) + 30
  let l:value = call(s:steps[a:step.do], [a:step])
  while !s:IsExpected(a:step, l:value)
    " Marks come when the server has checked the text; every other value is in an answer.
    if a:step.do !=# 'marks' || reltimefloat(reltime()) > l:end
      throw printf('step %d: %s has %s', a:number, string(a:step), string(l:value))
    endif
    sleep 10m
    let l:value = call(s:steps[a:step.do], [a:step])
  endwhile
  call s:Say(printf('ok %d %s', a:number, a:step.do))
endfunction

let s:number = 0
for s:step in json_decode(join(readfile($STEPS), ''))
  let s:number += 1
  try
    call s:Run(s:number, s:step)
  catch /^absent /
    let s:absent[s:step.do] = v:exception[7:]
    call s:Say(printf('not in ALE: %d %s', s:number, v:exception[7:]))
  catch
    call s:Say(printf('step %d: %s at %s', s:number, v:exception, v:throwpoint))
    cquit
  endtry
  " What a user does next is undone alone.
  let &undolevels = &undolevels
endfor
qall!
