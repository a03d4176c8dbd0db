;;; editor.el --- Does the steps of editor-steps.json in Emacs with Eglot  -*- lexical-binding: t -*-

;; emacs --batch -q -l Tests/Referees/editor.el   (see editors.py)

(require 'package)
(package-activate-all)
(setq load-prefer-newer t)
(add-to-list 'load-path "protocol/clients/emacs")
(require 'pushhost)
(require 'json)

(setq eglot-sync-connect 60 eglot-send-changes-idle-time 0 pushhost-program (getenv "PUSHHOST")
      ;; The workspace is no repository.
      project-find-functions (list (lambda (_) (cons 'transient (getenv "FOLDER")))))
(advice-add #'y-or-n-p :override #'always)

(define-error 'absent "Not in this editor")

(defun file (name) (expand-file-name name (getenv "FOLDER")))

(defun names (files)
  "The names of FILES in the workspace, each once."
  (sort (delete-dups (mapcar (lambda (each) (file-relative-name each (getenv "FOLDER"))) files)) #'string<))

(defun go (step)
  "Put point into the text that STEP names, or behind it."
  (goto-char (point-min))
  (search-forward (or (alist-get 'at step) (alist-get 'after step)))
  (when (alist-get 'at step) (goto-char (1+ (match-beginning 0)))))

(defun complete (step)
  "The completions at the place of STEP: their texts and what accepts one."
  (go step)
  (pcase-let* ((`(,start ,end ,table . ,more) (eglot-completion-at-point)))
    (list (all-completions "" table) start end (plist-get more :exit-function))))

(defun act (step)
  "Do STEP, and return its value."
  ;; What was edited is sent when Emacs is idle, which it never is in a script.
  (when (eglot-current-server) (eglot--signal-textDocument/didChange))
  (pcase (alist-get 'do step)
    ("open"
     (find-file (file (alist-get 'file step)))
     (flymake-mode 1)
     (unless (eglot-current-server) (call-interactively #'eglot)))
    ("marks"
     (flymake-start)
     (sort (mapcar (lambda (each)
                     (let ((code (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data each)) :code))
                           (from (flymake-diagnostic-beg each)))
                       (format "%s: %s" code (buffer-substring-no-properties from (flymake-diagnostic-end each)))))
                   (flymake-diagnostics))
           #'string<))
    ("replace"
     (goto-char (point-min))
     (search-forward (alist-get 'text step))
     (replace-match (alist-get 'with step) t t))
    ("hover"
     (go step)
     (let (text)
       (eglot-hover-eldoc-function (lambda (found &rest _) (setq text found)))
       (while (not text) (accept-process-output nil 0.05))
       (substring-no-properties text)))
    ("complete" (mapcar #'substring-no-properties (car (complete step))))
    ("accept"
     (pcase-let* ((`(,texts ,start ,end ,accept) (complete step))
                  (text (seq-find (lambda (each) (equal (substring-no-properties each) (alist-get 'label step))) texts)))
       (delete-region start end)
       (goto-char start)
       (insert text)
       (funcall accept text 'finished)))
    ("fix"
     (go step)
     (let ((fix (seq-find (lambda (each) (equal (plist-get each :title) (alist-get 'title step)))
                          (eglot-code-actions (point) (point)))))
       (eglot--apply-workspace-edit (plist-get fix :edit))))
    ("text"
     (with-current-buffer (if (alist-get 'file step) (find-file-noselect (file (alist-get 'file step))) (current-buffer))
       (buffer-substring-no-properties (point-min) (point-max))))
    ("undo"
     (setq last-command nil)
     (undo))
    ("lenses" (pushhost-lens-titles))
    ((and "execute" (guard (equal (alist-get 'command step) "pushhost.push")))
     (with-current-buffer (pushhost--show "pushhost.push" (current-buffer))
       (let ((inhibit-read-only t)) (erase-buffer))
       (revert-buffer)
       (buffer-string)))
    ("execute"
     (let ((value (plist-get (pushhost--execute (alist-get 'command step)) (intern (concat ":" (alist-get 'member step))))))
       (if (stringp value) value (json-encode value))))
    ("definition" (names (mapcar #'xref-location-group (mapcar #'xref-item-location (found #'xref-backend-definitions step)))))
    ("references" (names (mapcar #'xref-location-group (mapcar #'xref-item-location (found #'xref-backend-references step)))))
    ("rename"
     (go step)
     (eglot-rename (alist-get 'to step)))
    ("save" (save-some-buffers t))
    ("format"
     (setq-local tab-width 2 indent-tabs-mode nil)
     (eglot-format-buffer))
    ("outline"
     (let (places)
       (cl-labels ((add (entry) (if (consp (cdr entry)) (mapc #'add (cdr entry)) (push entry places))))
         (mapc #'add (eglot-imenu)))
       (mapcar #'car (sort places (lambda (one other) (< (cdr one) (cdr other)))))))
    ("folds" (signal 'absent "Eglot does not fold"))
    ("hints" (if (fboundp 'eglot-inlay-hints-mode) (hints) (signal 'absent "Eglot has hints since 1.10")))
    ("close"
     (set-buffer-modified-p nil)
     (kill-buffer))))

(defun found (what step)
  "What the xref backend of Eglot finds by WHAT at the place of STEP."
  (go step)
  (let ((xref-file-name-display 'abs))
    (funcall what 'eglot (xref-backend-identifier-at-point 'eglot))))

(defun hints ()
  "The hints that Eglot shows in this buffer."
  (eglot--update-hints-1 (point-min) (point-max))
  (while (accept-process-output nil 1))
  (delq nil (mapcar (lambda (each) (and (overlay-get each 'eglot--inlay-hint)
                                        (string-trim (or (overlay-get each 'before-string)
                                                         (overlay-get each 'after-string)))))
                    (overlays-in (point-min) (point-max)))))

(defun is-expected (step value)
  "Whether VALUE has what STEP expects."
  (let ((part (alist-get 'contains step)))
    (cond ((and part (listp value)) (member part value))
          (part (string-search part value))
          ((assq 'expect step) (equal value (alist-get 'expect step)))
          (t t))))

(let ((number 0) (json-array-type 'list) (json-object-type 'alist))
  (dolist (step (json-read-file (getenv "STEPS")))
    (setq number (1+ number))
    (let ((end (+ (float-time) 30)) value)
      (condition-case problem
          (progn
            (when (equal (alist-get 'needs step) "bundles")
              (signal 'absent "the package manages payloads, and not the files of bundles"))
            ;; Marks and lenses come when the server has read the text; every other value is in an answer.
            (while (and (not (is-expected step (setq value (act step))))
                        (or (and (member (alist-get 'do step) '("marks" "lenses")) (< (float-time) end))
                            (error "Step %d: %S has %S" number step value)))
              (accept-process-output nil 0.05))
            (princ (format "ok %d %s\n" number (alist-get 'do step))))
        (absent (princ (format "not in Emacs: %d %s\n" number (cdr problem))))
        (error
         (princ (format "%s\n" (error-message-string problem)))
         (kill-emacs 1)))
      (undo-boundary))))
