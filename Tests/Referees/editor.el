;;; editor.el --- Edits a payload in Emacs with Eglot and the language server  -*- lexical-binding: t -*-

;; emacs --batch -q -l editor.el   (PUSHHOST and PLUGINS name the program and a folder of bundles)

(require 'package)
(package-activate-all)
(require 'eglot)
(define-derived-mode apns-mode js-mode "APNs")
(add-to-list 'eglot-server-programs
             `(apns-mode . (,(getenv "PUSHHOST") "lsp" "--plugins" ,(getenv "PLUGINS"))))
(setq eglot-sync-connect 60 eglot-send-changes-idle-time 0)

(defun wait-for (what condition)
  "Let the server speak until CONDITION holds; WHAT names it."
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.05))
    (unless (funcall condition) (error "Waited in vain for %s: %S" what (flymake-diagnostics)))))

(defun marked ()
  "The texts that are marked."
  (sort (mapcar (lambda (each) (buffer-substring (flymake-diagnostic-beg each) (flymake-diagnostic-end each)))
                (flymake-diagnostics))
        #'string<))

(let ((file (make-temp-file "payload" nil ".apns")))
  (find-file file)
  (insert "{\"aps\": {\"alert\": \"😀\", \"category\": \"lab_registr\", \"sond\": 1}}")
  (save-buffer)
  (apns-mode)
  (flymake-mode 1)
  (call-interactively #'eglot)
  (wait-for "the mistakes" (lambda () (flymake-start) (equal (marked) '("\"lab_registr\"" "\"sond\""))))
  (goto-char (point-min))
  (search-forward "sond")
  (replace-match "sound" t)
  (search-forward "1")
  (replace-match "\"a\"")
  (eglot--signal-textDocument/didChange)
  (wait-for "the key's end" (lambda () (flymake-start) (equal (marked) '("\"lab_registr\""))))
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                (progn (search-backward "category") (eglot--TextDocumentPositionParams)))))
    (unless (string-search "decides which extension" (plist-get (plist-get hover :contents) :value))
      (error "%S" hover)))
  (eglot-format-buffer)
  (unless (string-match-p "\n[ \t]+\"alert\": \"😀\",\n" (buffer-string)) (error "%s" (buffer-string)))
  (eglot-shutdown (eglot--current-server-or-lose))
  (message "emacs %s: every step" emacs-version))
